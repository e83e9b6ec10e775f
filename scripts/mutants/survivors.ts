/** Why a mutant that survives breaks nothing that anyone can see, by what it was to break. */
export const explained: Readonly<Record<string, string>> = {};
