import { createApp } from "./app.ts";

createApp({ isMoved: true }).listen(8000, "127.0.0.1");
