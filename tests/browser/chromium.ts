import { type Browser, chromium } from "playwright-core";

const paths = [Deno.env.get("CHROMIUM"), "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/**
 * Starts the machine's own Chromium with a new profile, so that it does not contact any other host.
 *
 * @param ignoreDefaultArgs The switches of Playwright that it starts without.
 */
export function launchChromium(ignoreDefaultArgs: string[] = []): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    throw new Error(
      "Cannot test in a browser: there is no Chromium; install Debian's chromium, or name one by CHROMIUM",
    );
  }
  return chromium.launch({
    executablePath,
    ignoreDefaultArgs,
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** Whether there is one to start. */
export function hasChromium(): boolean {
  return findChromium() !== undefined;
}

function findChromium(): string | undefined {
  return paths.find((path) => path !== undefined && isFile(path));
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
