import { describe, expect, it } from 'vitest';
import { readWebhookEvent, verifyWebhook, type WebhookDelivery, writeWebhookHeaders } from '../index.ts';

const nowMs = Date.UTC(2026, 2, 2, 9, 15);
const body = JSON.stringify({
  event_type: 'alerts.triggered',
  alert: {
    id: 'ar_1',
    name: 'Zu langsam',
    project_id: null,
    metric: 'api_errors',
    operator: '>',
    threshold_value: 0,
    current_value: 3,
    previous_state: 'ok',
    triggered_at: '2026-03-02T09:15:00Z',
  },
});
const deliver = async (over: Partial<WebhookDelivery> = {}): ReturnType<typeof verifyWebhook> => {
  const headers = await writeWebhookHeaders({ secret: 'whs_a', body, eventId: 'event-1', nowMs });
  return verifyWebhook({ body, headers, secret: 'whs_a', nowMs, ...over });
};

describe('a webhook delivery', () => {
  it("accepts and reads a delivery that the platform's own writer signed", async () => {
    expect(await deliver()).toEqual({
      isValid: true,
      eventId: 'event-1',
      timestamp: nowMs / 1000,
      event: JSON.parse(body),
    });
  });

  it('returns the signed event id, even when a recorded delivery is replayed under another header', async () => {
    const signed = JSON.stringify({ ...JSON.parse(body), event_id: 'event-of-body' });
    const headers = await writeWebhookHeaders({ secret: 'whs_a', body: signed, eventId: 'event-1', nowMs });
    for (const again of [headers, { ...headers, 'X-Webhook-Event-ID': 'event-2' }])
      expect(await deliver({ body: signed, headers: again })).toMatchObject({
        isValid: true,
        eventId: 'event-of-body',
        event: { event_id: 'event-of-body' },
      });
    const desk = '{"type":"message.created","handoff_id":"ho_1","event_id":"event-of-desk"}';
    const written = await writeWebhookHeaders({ secret: 'whs_a', body: desk, eventId: 'event-1', nowMs });
    expect(await deliver({ body: desk, headers: written })).toMatchObject({ eventId: 'event-of-desk' });
  });

  it.each(['neutral', 'vendor', 'both'] as const)('reads a delivery with %s header names', async (style) => {
    const written = await writeWebhookHeaders({ secret: 'whs_a', body, eventId: 'e', nowMs, style });
    expect(Object.keys(written)).toHaveLength(style === 'both' ? 7 : 4);
    const lower = Object.fromEntries(
      Object.entries(written).map(([name, value]) => [name.toLowerCase(), value]),
    );
    for (const headers of [
      written,
      lower,
      new Headers(written),
      { ...lower, accept: ['a', 'b'], cookie: undefined },
    ]) {
      expect(await deliver({ headers })).toMatchObject({ isValid: true, eventId: 'e' });
    }
  });

  it('verifies raw bytes as well as text', async () => {
    expect(await deliver({ body: new TextEncoder().encode(body) })).toMatchObject({ isValid: true });
  });

  it('accepts a delivery signed with any of several secrets, and none signed with another', async () => {
    expect(await deliver({ secret: ['whs_new', 'whs_a'] })).toMatchObject({ isValid: true });
    expect(await deliver({ secret: ['whs_new', 'whs_newer'] })).toEqual({
      isValid: false,
      reason: 'signature',
    });
  });

  it('refuses a delivery with a repeated header', async () => {
    const headers = await writeWebhookHeaders({ secret: 'whs_a', body, eventId: 'e', nowMs });
    const twice = (name: string): Record<string, string | string[]> => ({
      ...headers,
      [name]: [headers[name] ?? '', 'x'],
    });
    expect(await deliver({ headers: twice('X-Webhook-Timestamp') })).toMatchObject({ reason: 'timestamp' });
    expect(await deliver({ headers: twice('X-Webhook-Signature') })).toMatchObject({ reason: 'signature' });
  });

  it('applies the requested tolerance in whole seconds', async () => {
    expect(await deliver({ nowMs: nowMs + 300_999 })).toMatchObject({ isValid: true });
    expect(await deliver({ nowMs: nowMs + 11_000, toleranceSeconds: 10 })).toMatchObject({ reason: 'stale' });
  });

  it('refuses to verify a delivery without a secret', async () => {
    for (const secret of ['', [], ['whs_a', '']]) {
      await expect(deliver({ secret })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    }
  });

  it('accepts a genuine delivery of an unknown event type', async () => {
    for (const strange of ['{"event_type":"agent.deployed"}', 'not json', '{}', '[]']) {
      const headers = await writeWebhookHeaders({ secret: 'whs_a', body: strange, eventId: 'e', nowMs });
      expect(await deliver({ body: strange, headers })).toMatchObject({ isValid: true, event: null });
    }
  });
});

describe('the event of a delivery', () => {
  it('reads an event without project, value and state', () => {
    const bare = {
      event_type: 'alerts.resolved',
      alert: {
        id: 'a',
        name: 'n',
        metric: 'm',
        operator: '<',
        threshold_value: 1,
        resolved_at: '2026-03-02T09:15:00Z',
      },
    };
    expect(readWebhookEvent(JSON.stringify(bare))?.alert).toMatchObject({
      project_id: null,
      current_value: null,
    });
  });
});
