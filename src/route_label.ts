/** The name of a route in messages: `PATCH /users/:id (users.rename)`. */
export function routeLabel(
  { method, path, key }: { readonly method: string; readonly path: string; readonly key: string },
): string {
  return `${method} ${path} (${key})`;
}
