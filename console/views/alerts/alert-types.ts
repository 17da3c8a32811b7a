import type { AlertRules, DeliveryPage, Receiver } from '../../../server-platform/src/console-api/index.ts';

export type { AlertRule, WebhookEndpoint } from '@natter/sdk';
export type {
  AlertRules,
  DeliveryDetail,
  DeliveryPage,
  Endpoints,
  NewSecret,
  Receiver,
} from '../../../server-platform/src/console-api/index.ts';

/** A state that a rule has entered. */
export type StateChange = AlertRules['states'][number];

/** A delivery in a list. */
export type Delivery = DeliveryPage['deliveries'][number];

/** A request that arrived at the built-in receiver. */
export type Receipt = NonNullable<Receiver['receiver']>['receipts'][number];
