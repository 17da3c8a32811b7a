/** A platform in a separate process, to be killed between the attempts of a delivery. */
import { startPlatform } from '../../../src/app/start-platform.ts';
import { createWebhookCrashOptions, type WebhookCrashPlace } from './webhook-crash-options.ts';

const place: WebhookCrashPlace = JSON.parse(process.argv[2] ?? '{}');
const platform = await startPlatform(await createWebhookCrashOptions(place));
process.send?.({ url: platform.url });
