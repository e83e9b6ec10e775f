/**
 * The sessions, in memory: who has shown which session id, for so long. It knows nothing of HTTP.
 *
 * @module
 */
import { createSecret, hashSecret } from "./secrets.ts";

/** How long a session lasts, in seconds. */
export const sessionSeconds = 8 * 60 * 60;

export interface Sessions {
  /** Starts a session and gives its id, which nobody has seen before: none that was planted can become one. */
  readonly start: (memberId: string) => Promise<string>;
  /** The member whose session it is. */
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
  const sessions = new Map<string, Session>(); // the first to be started is the first to expire
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
