import { randomBytes } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import type { AudioStore } from './audio-store.ts';

/** A bucket of an S3-compatible object storage. */
export type ObjectStoreSettings = {
  /** Such as `https://s3.eu-west-1.amazonaws.com`; the bucket is added to the path. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Put before every name, such as `previews/`. */
  readonly prefix: string;
};

const RETRIES = 2;
const PATIENCE_MS = 20_000;

/** Keeps audio in a bucket, with presigned addresses. What is in the bucket stays: let a rule of the bucket remove it. */
export function createObjectStore(settings: ObjectStoreSettings): AudioStore {
  const { endpoint, region, bucket, accessKeyId, secretAccessKey, prefix } = settings;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: RETRIES });
  return {
    async keep(audio, { contentType, nowMs, lifetimeSeconds }) {
      const name = `${prefix}${randomBytes(24).toString('base64url')}.wav`;
      const url = new URL(`${endpoint.replace(/\/$/, '')}/${bucket}/${name}`);
      const datetime = `${new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
      const answer = await client.fetch(url, {
        method: 'PUT',
        body: audio,
        headers: { 'Content-Type': contentType },
        signal: AbortSignal.timeout(PATIENCE_MS),
        aws: { datetime },
      });
      await answer.body?.cancel();
      if (!answer.ok) throw new Error(`The object storage answered ${answer.status} to a new object.`);
      url.searchParams.set('X-Amz-Expires', String(lifetimeSeconds));
      const { url: signed } = await client.sign(url, { aws: { signQuery: true, datetime } });
      return signed;
    },
  };
}
