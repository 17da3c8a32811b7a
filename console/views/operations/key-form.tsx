import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { callConsole } from '../../call-platform.ts';
import { projects } from '../../session.ts';
import { Choices, FormDialog, SelectField, TextField } from '../../ui/index.ts';
import type { NewSecret } from './operations-types.ts';

/** Descriptions of the permissions. A permission without one is shown by its name. */
const MEANINGS: Readonly<Record<string, string>> = {
  conversations: 'read conversations',
  analytics: 'read concurrent conversations',
  handoff: 'read the state of hand-offs',
  external_events: 'send external events (needs a separate key)',
  dni: 'reserve phone numbers (needs a project)',
  chat: 'chat over REST and create voice previews',
  erasure: 'permanently erase conversations',
  monitoring: 'manage alert rules and webhooks (needs a separate key)',
};

/** Asks what a new key is for, and makes it. */
export function KeyForm({
  permissions,
  onMade,
  onClose,
}: {
  permissions: readonly string[];
  onMade: (made: NewSecret) => void;
  onClose: () => void;
}): VNode {
  const [chosen, setChosen] = useState<readonly string[]>(['conversations']);
  return (
    <FormDialog
      title="New key"
      submitLabel="Create key"
      onClose={onClose}
      onSubmit={async (form) => {
        const expires = String(form.get('expires'));
        const body = {
          name: String(form.get('name')),
          project: String(form.get('project')) || null,
          permissions: chosen,
          expires_at: expires === '' ? null : new Date(`${expires}T00:00`).toISOString(),
        };
        onMade(await callConsole<NewSecret>('POST', '/keys', { body }));
      }}
    >
      <TextField
        label="Name"
        name="name"
        hint="What uses it, such as crm-import."
        autocomplete="off"
        required
      />
      <SelectField
        label="Project"
        name="project"
        options={[['', 'All projects'], ...projects.value.map(({ slug, name }) => [slug, name] as const)]}
      />
      <Choices
        legend="It may"
        options={permissions.map((name) => [name, MEANINGS[name] ?? name.replaceAll('_', ' ')] as const)}
        chosen={chosen}
        onChange={setChosen}
      />
      <TextField label="Expires" name="expires" type="date" hint="Leave empty for no expiry." />
    </FormDialog>
  );
}
