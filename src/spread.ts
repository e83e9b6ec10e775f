/**
 * The same properties, which editors show as one object and without the name of the type that has them.
 *
 * @internal
 */
export type Spread<Joined> = { [Key in keyof Joined]: Joined[Key] } & unknown;
