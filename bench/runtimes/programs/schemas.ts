/** The schemas of the programs, with the library that the guides use most. */
import * as z from "zod";

export const Health = z.literal("ok");
export const UserParams = z.object({ id: z.string() });
export const User = z.object({ id: z.string(), name: z.string() });
export const Rename = z.object({ name: z.string().min(1) });
