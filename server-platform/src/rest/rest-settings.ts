import type { VendorNames, WebhookHeaderStyle } from '@natter/sdk';
import type { ServiceHosts } from './host-regions.ts';

/** Settings of a deployment that the REST families share. */
export interface RestSettings {
  /** Which families write the vendor's names. Source: section 2. */
  readonly vendorNames: VendorNames;
  /** Names of the delivery headers of webhooks. Source: section 2. */
  readonly webhookHeaderStyle: WebhookHeaderStyle;
  /** Source: C-1, C-2. */
  readonly hosts: ServiceHosts;
  /** Requests of one key in a minute; null: no limit. Source: C-14. */
  readonly requestsPerMinute: number | null;
  /** A chat without a respond for longer is over. Source: 3.4. */
  readonly chatIdleTimeoutSeconds: number;
  /** How long a number stays reserved without a call. Source: DN-2. */
  readonly dniReservationSeconds: number;
  /** Whether `POST /internal/v1/simulated-calls` is there; for development. */
  readonly hasSimulatedCalls: boolean;
  /** How often alert rules are evaluated. Source: AL-5. */
  readonly alertEvaluationSeconds: number;
  /** Whether webhooks may go to addresses that are not of the public internet. Source: section 11. */
  readonly webhookPrivateAddresses: boolean;
}
