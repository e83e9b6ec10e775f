/**
 * The same properties as one object type, which editors show without the name of the original type.
 *
 * @internal
 */
export type Spread<Joined> = { [Key in keyof Joined]: Joined[Key] } & unknown;
