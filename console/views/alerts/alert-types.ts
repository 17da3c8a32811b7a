import type { AlertRule, AlertState, WebhookEndpoint } from '@natter/sdk';

export type { AlertRule, AlertState, WebhookEndpoint };

/** A state that a rule has entered. */
export interface StateChange {
  readonly rule_id: string;
  /** `changed`: the rule was changed, and not evaluated since. */
  readonly state: AlertState | 'changed';
  readonly value: number | null;
  readonly at_ms: number;
}

/** Rules with the states that they have entered. */
export interface AlertRules {
  readonly from_ms: number;
  readonly to_ms: number;
  readonly rules: readonly AlertRule[];
  readonly states: readonly StateChange[];
  readonly unresolved: readonly {
    readonly rule_id: string;
    readonly name: string;
    readonly closed_at: string;
  }[];
}

export interface Endpoints {
  readonly endpoints: readonly WebhookEndpoint[];
}

/** A delivery in a list. */
export interface Delivery {
  readonly id: string;
  readonly endpoint_id: string;
  readonly endpoint_name: string;
  readonly event_type: string;
  readonly state: 'pending' | 'delivered' | 'dead' | 'dropped';
  readonly attempts: number;
  readonly last_outcome: string | null;
  readonly created_at: string;
  readonly due_at: string | null;
}

export interface DeliveryPage {
  readonly deliveries: readonly Delivery[];
  readonly cursor: string | null;
}

/** A delivery with its body. */
export interface DeliveryDetail extends Delivery {
  readonly body: string;
  readonly history: readonly {
    readonly at: string;
    readonly duration_ms: number;
    readonly outcome: string;
  }[];
}

/** The built-in receiver. */
export interface Receiver {
  readonly receiver: {
    readonly endpoint_id: string;
    readonly url: string;
    readonly expires_at: string;
    readonly enabled: boolean;
    readonly receipts: readonly Receipt[];
  } | null;
}

/** A request that arrived there. */
export interface Receipt {
  readonly id: number;
  readonly at: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly verdict: 'valid' | 'timestamp' | 'stale' | 'signature';
  readonly status: number;
}

/** A secret that was made now. */
export interface NewSecret {
  readonly name: string;
  readonly secret: string;
}
