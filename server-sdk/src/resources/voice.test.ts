import { describe, expect, it } from 'vitest';
import { withServer } from '../../testing/scripted-server.test.ts';
import { errorText, generateAudioBodySchema, parseBody } from '../index.ts';

const bodyFault = (schema: Parameters<typeof parseBody>[0], body: unknown): string | null => {
  const parsed = parseBody(schema, body);
  return parsed.isOk ? null : errorText(parsed.errors);
};
describe('voice preview', () => {
  const body = { text: 'Hello', language: 'en-GB', config: {} };

  it.each([
    [{ ...body, text: '' }, 'text must be a string of 1 to 1000 characters'],
    [{ ...body, text: 'x'.repeat(1001) }, 'text must be a string of 1 to 1000 characters'],
    [{ ...body, language: 'english' }, 'language must be a BCP-47 language tag'],
    [{ ...body, config: [] }, 'config must be a JSON object'],
    [{ ...body, storeOnS3: 'yes' }, 'storeOnS3 must be a boolean'],
    [{ ...body, storeOnS3: true, storeOnObjectStorage: false }, 'storeOnS3 must equal storeOnObjectStorage'],
    [{ ...body, voice: 'x' }, 'voice unknown field'],
    [{ ...body, storeOnS3: true, storeOnObjectStorage: true, provider: 'flite' }, null],
  ])('reads the answer %j to a voice preview: %s', (given, text) => {
    expect(bodyFault(generateAudioBodySchema, given)).toBe(text);
  });

  it('reads both names of the storage flag as one', () => {
    const parsed = parseBody(generateAudioBodySchema, { ...body, storeOnS3: true });
    expect(parsed).toEqual({ isOk: true, value: { ...body, storeOnObjectStorage: true } });
  });

  it('requests a voice preview of an agent', async () => {
    const audio = { url: 'https://x/a.wav', text: 'Hello' };
    await withServer([{ status: 200, body: audio }], async ({ voice }, { seen }) => {
      expect(await voice.generateAudio(body, { projectId: 'PROJECT-1' })).toEqual(audio);
      expect(seen[0]).toMatchObject({ method: 'POST', url: '/v1/agents/PROJECT-1/generate-audio' });
    });
  });
});
