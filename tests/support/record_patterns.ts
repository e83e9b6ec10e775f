/** Prints the regular expressions that `RegExp` receives while the modules in the arguments are loaded. */
const received: [source: string, flags: string][] = [];
const record = (pattern: RegExp): RegExp => {
  received.push([pattern.source, pattern.flags]);
  return pattern;
};
globalThis.RegExp = new Proxy(RegExp, {
  construct: (target, args, made) => record(Reflect.construct(target, args, made)),
  apply: (target, self, args) => record(Reflect.apply(target, self, args)),
});
for (const module of Deno.args) await import(module);
console.log(JSON.stringify(received));
