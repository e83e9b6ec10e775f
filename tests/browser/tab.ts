/** Tabs of Chromium, whose page has functions for its test. */
import { assertEquals } from "@std/assert";
import type { Browser, Page as Tab } from "playwright-core";

/** A page that was opened. Its disposal closes it, and fails if something in it was not handled. */
export interface OpenTab extends AsyncDisposable {
  readonly tab: Tab;
}

/** Opens a page in a profile of its own. */
export async function openTab(browser: Browser, url: string): Promise<OpenTab> {
  const context = await browser.newContext();
  const tab = await context.newPage();
  const complaints: string[] = [];
  tab.on("pageerror", (error) => complaints.push(String(error))); // unhandled rejections too
  await tab.goto(url);
  const close = async (): Promise<void> => {
    await context.close();
    assertEquals(complaints, []);
  };
  return { tab, [Symbol.asyncDispose]: close };
}

/** Calls a function of a page. */
export type Ask<Page> = <Name extends keyof Page>(
  tab: Tab,
  name: Name,
  ...given: Page[Name] extends (...given: infer Given) => unknown ? Given : never
) => Promise<Page[Name] extends (...given: never[]) => infer Answer ? Awaited<Answer> : never>;

/** Returns a function that calls those of `globalThis.page`. */
export function askPage<Page>(): Ask<Page> {
  return (tab, name, ...given) =>
    tab.evaluate(
      ([name, given]) =>
        (globalThis as unknown as { page: Record<string, (...given: unknown[]) => never> }).page[name]!(...given),
      [name as string, given as unknown[]] as const,
    );
}
