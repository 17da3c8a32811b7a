import { describe, expect, it } from 'vitest';
import { withServer } from '../../testing/scripted-server.test.ts';
import { errorText, isNatterError, parseBody, reserveNumberBodySchema } from '../index.ts';

const bodyFault = (schema: Parameters<typeof parseBody>[0], body: unknown): string | null => {
  const parsed = parseBody(schema, body);
  return parsed.isOk ? null : errorText(parsed.errors);
};
describe('number reservation', () => {
  it('sends the attributes of a reservation and returns the number', async () => {
    await withServer([{ status: 200, body: { dni: '+441234' } }], async ({ numbers }, { seen }) => {
      expect(await numbers.reserve({ attributes: { shared_id: '1', a: { b: [1] } } })).toEqual({
        dni: '+441234',
      });
      expect(seen[0]).toMatchObject({
        method: 'POST',
        url: '/v1/conversations/dni-reservation',
        body: '{"attributes":{"shared_id":"1","a":{"b":[1]}}}',
      });
    });
  });

  it('reports that no number is free', async () => {
    const body = { success: false, error: 'Not Found', message: 'no available route found', error_id: 'e' };
    await withServer([{ status: 404, body }], async ({ numbers }) => {
      const error: unknown = await numbers.reserve({ attributes: {} }).catch((thrown: unknown) => thrown);
      expect(isNatterError(error) && error.message).toContain('no available route found');
      expect(error).toMatchObject({ status: 404, code: 'NOT_FOUND', correlationId: 'e', retryable: true });
      // Neither the id nor the base URL is at fault.
      expect(isNatterError(error) && error.message).toBe(
        'no available route found. Every number of the pool is reserved, or there is none: try again when a reservation has run out, or add numbers to the pool.',
      );
    });
  });

  it.each([
    [{}, 'attributes is required'],
    [{ attributes: 'x' }, 'attributes must be a JSON object'],
    [{ attributes: { a: 'x'.repeat(65_536) } }, 'attributes must be at most 65536 bytes of JSON'],
  ])('refuses the number reservation %#: %s', (body, text) => {
    expect(bodyFault(reserveNumberBodySchema, body)).toBe(text);
  });

  it('refuses reservation attributes without a JSON form', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(bodyFault(reserveNumberBodySchema, { attributes: circle })).toContain(
      'attributes must have a JSON form',
    );
  });
});
