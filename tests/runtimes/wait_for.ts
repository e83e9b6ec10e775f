/** Reads the state of a call until it is the expected one, for two seconds at most; returns the last. */
export async function waitFor(baseUrl: string, id: string, wanted: string): Promise<string> {
  let state = "";
  for (let tries = 0; tries < 80 && state !== wanted; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 25));
    state = await (await fetch(`${baseUrl}/api/waits/${id}/state`)).text();
  }
  return state;
}
