/** The service before anything has moved, which openapi.json describes. */
import { createApp } from "./app.ts";

createApp({ isMoved: false }).listen(3000, "127.0.0.1");
