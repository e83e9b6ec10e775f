/**
 * The sessions, in memory: the member of each session id, until the session expires. Without any HTTP.
 *
 * @module
 */
import { createSecret, hashSecret } from "./secrets.ts";

/** How long a session lasts, in seconds. */
export const sessionSeconds = 8 * 60 * 60;

export interface Sessions {
  /** Starts a session and returns its new id. An id that an attacker planted never becomes valid. */
  readonly start: (memberId: string) => Promise<string>;
  /** Returns the member whose session it is. */
  readonly find: (sessionId: string) => Promise<string | undefined>;
  readonly end: (sessionId: string) => Promise<void>;
}

interface Session {
  readonly memberId: string;
  /** In milliseconds since 1970. */
  readonly expires: number;
}

/** @param now In milliseconds since 1970. */
export function createSessions(now: () => number = Date.now): Sessions {
  const sessions = new Map<string, Session>(); // in the order in which they expire
  const sweep = (): void => {
    for (const [hash, { expires }] of sessions) {
      if (expires > now()) return;
      sessions.delete(hash);
    }
  };
  return {
    start: async (memberId) => {
      sweep();
      const id = createSecret();
      sessions.set(await hashSecret(id), { memberId, expires: now() + sessionSeconds * 1000 });
      return id;
    },
    find: async (id) => {
      const session = sessions.get(await hashSecret(id));
      return session && session.expires > now() ? session.memberId : undefined;
    },
    end: async (id) => void sessions.delete(await hashSecret(id)),
  };
}
