/** Entity tags (RFC 9110, section 8.8.3): `"1"`, or `W/"1"` for a weak one. */

/** The opaque tag with its quotation marks, after an optional `W/`. */
const entityTag = /^(?:W\/)?("[!#-~\u0080-\u00ff]*")$/;

/**
 * A member of a list, with the empty members before it, up to a comma or the end. After a mismatch it starts again from
 * the beginning.
 */
const listMember = /[\t ,]*(?:W\/)?("[!#-~\u0080-\u00ff]*")[\t ]*(?=,|$)/y;

/** Returns the opaque tag of an entity tag, which is all that weak comparison uses. `undefined` for any other text. */
export function opaqueTag(text: string): string | undefined {
  return entityTag.exec(text)?.[1];
}

/** Returns the opaque tags of a list, in time linear to its length. Empty for a malformed list. */
export function parseTagList(text: string): readonly string[] {
  const tags: string[] = [];
  let end = 0;
  for (let member = listMember.exec(text); member; member = listMember.exec(text)) {
    tags.push(member[1]!);
    end = listMember.lastIndex;
  }
  return /^[\t ,]*$/.test(text.slice(end)) ? tags : [];
}
