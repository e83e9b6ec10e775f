/**
 * Events from those who publish them to subscribers that come back: `createPublisher()`.
 *
 * @module
 */
export {
  createPublisher,
  GapError,
  type PublishedEvent,
  type Publisher,
  type PublisherOptions,
  type SubscribeOptions,
  type Subscription,
} from "./publisher.ts";
