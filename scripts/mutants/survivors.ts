/** Why a surviving mutant changes nothing observable, by its `breaks`. */
export const explained: Readonly<Record<string, string>> = {
  "malformed JSON is malformed, whoever went":
    "It chooses between a 400 and a 499 that both nobody reads, for the client has gone.",
  "an item that comes late goes nowhere":
    "The stream has ended by then, and what a stream that has ended is given by its source is dropped by the platform as well.",
  "an abort is no failure of the producer's":
    "An aborted call rejects as such, whatever else failed; the abort that ends an upload comes when its call is over.",
  "a problem that goes on and on is none":
    "What was cut off at 256 KiB does not parse, unless nothing but white space follows, and then the problem is whole.",
};
