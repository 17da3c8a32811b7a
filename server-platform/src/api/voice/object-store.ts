import { randomBytes } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import { type Clock, systemClock } from '../../kit/clock.ts';
import { createOutboundClient, type OutboundAnswer, sendWithRetries } from '../../kit/http/outbound/index.ts';
import type { AudioStore } from './audio-store.ts';

/** A bucket of an S3-compatible object storage. */
export type ObjectStoreSettings = {
  /** For example `https://s3.eu-west-1.amazonaws.com`; the bucket is appended to the path. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Prefix of every name, such as `previews/`. */
  readonly prefix: string;
};

const RETRY_AFTER_MS = [100, 400] as const;
const LIMITS = { totalTimeoutMs: 20_000, maxBytes: 0 } as const;

const NOT_FOUND = 404;

// The body is not part of the signature.
type SignedInit = NonNullable<Parameters<AwsClient['sign']>[1]> & { readonly method: 'PUT' | 'DELETE' };

/**
 * Stores audio in a bucket with presigned addresses. Objects stay until `remove` or a rule of the bucket deletes them.
 */
export function createObjectStore(settings: ObjectStoreSettings, clock: Clock = systemClock): AudioStore {
  const { endpoint, region, bucket, accessKeyId, secretAccessKey, prefix } = settings;
  const signer = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' });
  const client = createOutboundClient({ allowsPrivateAddresses: true, clock });
  const urlOf = (name: string): URL => new URL(`${endpoint.replace(/\/$/, '')}/${bucket}/${name}`);
  const send = (url: URL, init: SignedInit, body?: Uint8Array): Promise<OutboundAnswer> =>
    sendWithRetries(
      async () => {
        const signed = await signer.sign(url, init);
        const answer = await client.send({
          url,
          method: init.method,
          headers: Object.fromEntries(signed.headers),
          ...(body === undefined ? {} : { body }),
          limits: LIMITS,
        });
        answer.discard();
        return answer;
      },
      { clock, delaysMs: RETRY_AFTER_MS },
    );
  return {
    createName: () => `${prefix}${randomBytes(24).toString('base64url')}.wav`,
    async remove(name) {
      const answer = await send(urlOf(name), { method: 'DELETE' });
      if (answer.isOk || answer.status === NOT_FOUND) return answer.isOk;
      throw new Error(`The object storage answered ${answer.status} to the removal of an object.`);
    },
    async keep(name, audio, { contentType, nowMs, lifetimeSeconds }) {
      const url = urlOf(name);
      const datetime = `${new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
      const headers = { 'Content-Type': contentType };
      const answer = await send(url, { method: 'PUT', headers, aws: { datetime } }, audio);
      if (!answer.isOk) throw new Error(`The object storage answered ${answer.status} to a new object.`);
      url.searchParams.set('X-Amz-Expires', String(lifetimeSeconds));
      const { url: signed } = await signer.sign(url, { aws: { signQuery: true, datetime } });
      return signed;
    },
  };
}
