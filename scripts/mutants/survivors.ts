/** Why a surviving mutant changes nothing observable, by its `breaks`. */
export const explained: Readonly<Record<string, string>> = {
  "malformed JSON is malformed even after a disconnect":
    "It chooses between a 400 and a 499, which the disconnected client never receives.",
  "a late item is dropped":
    "The stream has already ended, and the platform drops the items that its source enqueues after that.",
  "an abort is not a failure of the producer":
    "An aborted call rejects with the abort, whatever else failed. The abort that ends an upload happens after its call.",
  "an endless problem document is not parsed":
    "Text that was cut off at 256 KiB does not parse, unless only white space followed, and then the problem is complete.",
};
