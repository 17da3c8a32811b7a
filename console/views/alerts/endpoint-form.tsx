import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { callConsole } from '../../call-platform.ts';
import { Choices, FormDialog, TextArea, TextField } from '../../ui/index.ts';
import type { NewSecret, WebhookEndpoint } from './alert-types.ts';
import { EVENT_TYPES } from './endpoint-question.tsx';

/** Asks where events go. `endpoint` null: a new one, whose secret `onDone` gets. */
export function EndpointForm({
  endpoint,
  onDone,
  onClose,
}: {
  endpoint: WebhookEndpoint | null;
  onDone: (made: NewSecret | null) => void;
  onClose: () => void;
}): VNode {
  const [types, setTypes] = useState<readonly string[]>(
    endpoint?.event_types ?? EVENT_TYPES.map(([type]) => type),
  );
  return (
    <FormDialog
      title={endpoint === null ? 'New endpoint' : `Edit ${endpoint.name}`}
      submitLabel={endpoint === null ? 'Add endpoint' : 'Save'}
      onClose={onClose}
      onSubmit={async (form) => {
        const body = {
          name: String(form.get('name')),
          url: String(form.get('url')),
          event_types: types,
          timeout_ms: Number(form.get('timeout')) * 1_000,
          headers: readHeaders(String(form.get('headers'))),
        };
        if (endpoint === null) onDone(await callConsole<NewSecret>('POST', '/webhook-endpoints', { body }));
        else {
          await callConsole('PUT', `/webhook-endpoints/${endpoint.id}`, { body });
          onDone(null);
        }
      }}
    >
      <TextField label="Name" name="name" defaultValue={endpoint?.name ?? ''} autocomplete="off" required />
      <TextField
        label="URL"
        name="url"
        type="url"
        defaultValue={endpoint?.url ?? ''}
        placeholder="https://example.com/natter"
        hint="Must use https and be reachable from the internet."
        required
      />
      <Choices legend="Events" options={EVENT_TYPES} chosen={types} onChange={setTypes} />
      <TextField
        label="Timeout in seconds"
        name="timeout"
        type="number"
        min={1}
        max={30}
        step={1}
        defaultValue={String((endpoint?.timeout_ms ?? 5_000) / 1_000)}
      />
      <TextArea
        label="Custom headers"
        name="headers"
        rows={2}
        spellcheck={false}
        defaultValue={Object.entries(endpoint?.headers ?? {})
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n')}
        hint="One per line, such as Authorization: Bearer …"
      />
    </FormDialog>
  );
}

/** Headers from lines such as `X-Team: ferries`. */
function readHeaders(text: string): Readonly<Record<string, string>> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':');
      if (at < 1) throw new Error(`Invalid header: “${line}”. Write a name, a colon and a value.`);
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}
