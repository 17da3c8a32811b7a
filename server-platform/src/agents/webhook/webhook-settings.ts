import * as v from 'valibot';
import { endpointLimits, httpUrl, identity, objectMessage, text } from '../config-fields.ts';

// As long as the signature's hash, 32 bytes.
const MIN_SECRET_CHARACTERS = 32;

/** The schema of a webhook agent's settings. */
export const webhookSchema = v.strictObject(
  {
    ...identity,
    kind: v.literal('webhook'),
    url: httpUrl('url'),
    secret: v.pipe(
      text('secret'),
      v.minLength(MIN_SECRET_CHARACTERS, `secret must have at least ${MIN_SECRET_CHARACTERS} characters`),
    ),
    ...endpointLimits,
  },
  objectMessage('the agent'),
);
