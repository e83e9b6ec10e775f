/** HTTP dates (RFC 9110, section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT` and two obsolete formats. */

/** `Sunday, 06-Nov-94 08:49:37 GMT` */
const rfc850Date = /^(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\d\d)-([A-Z][a-z]{2})-(\d\d) ([\d:]{8}) GMT$/;

/** `Sun Nov  6 08:49:37 1994` */
const asctimeDate = /^([A-Z][a-z]{2}) ([A-Z][a-z]{2}) ([ 1-3]\d) ([\d:]{8}) (\d{4})$/;

/**
 * Milliseconds since 1970. `undefined` unless the text is a date in one of the three formats with the right weekday.
 */
export function parseHttpDate(text: string, now = new Date()): number | undefined {
  if (text === "") return undefined;
  const fixed = toFixedFormat(text, now);
  const time = Date.parse(fixed);
  const isExact = fixed.length === 29 && Number.isFinite(time) && new Date(time).toUTCString() === fixed;
  return isExact ? time : undefined;
}

/**
 * Converts a date in an obsolete format to the current one, and returns any other text unchanged. A year of two digits
 * is at most 50 years ahead.
 */
function toFixedFormat(text: string, now: Date): string {
  const obsolete = rfc850Date.exec(text);
  if (obsolete) {
    const [, weekday, day, month, year, time] = obsolete;
    const ofCentury = (century: number): string =>
      `${weekday!.slice(0, 3)}, ${day} ${month} ${century + Number(year)} ${time} GMT`;
    const thisYear = now.getUTCFullYear();
    const inThisCentury = ofCentury(thisYear - thisYear % 100);
    const isAhead = Date.parse(inThisCentury) > new Date(now).setUTCFullYear(thisYear + 50);
    return isAhead ? ofCentury(thisYear - thisYear % 100 - 100) : inThisCentury;
  }
  const [, weekday, month, day, time, year] = asctimeDate.exec(text) ?? [];
  return day === undefined ? text : `${weekday}, ${day.replace(" ", "0")} ${month} ${year} ${time} GMT`;
}
