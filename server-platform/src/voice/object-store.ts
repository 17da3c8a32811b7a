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
const TIMEOUT_MS = 20_000;

const NOT_FOUND = 404;

/** Keeps audio in a bucket, with presigned addresses. An object stays until `remove`, or a rule of the bucket, removes it. */
export function createObjectStore(settings: ObjectStoreSettings): AudioStore {
  const { endpoint, region, bucket, accessKeyId, secretAccessKey, prefix } = settings;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: RETRIES });
  const urlOf = (name: string): URL => new URL(`${endpoint.replace(/\/$/, '')}/${bucket}/${name}`);
  return {
    createName: () => `${prefix}${randomBytes(24).toString('base64url')}.wav`,
    async remove(name) {
      const answer = await client.fetch(urlOf(name), {
        method: 'DELETE',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await answer.body?.cancel();
      if (answer.ok || answer.status === NOT_FOUND) return answer.ok;
      throw new Error(`The object storage answered ${answer.status} to the removal of an object.`);
    },
    async keep(name, audio, { contentType, nowMs, lifetimeSeconds }) {
      const url = urlOf(name);
      const datetime = `${new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
      const answer = await client.fetch(url, {
        method: 'PUT',
        body: audio,
        headers: { 'Content-Type': contentType },
        signal: AbortSignal.timeout(TIMEOUT_MS),
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
