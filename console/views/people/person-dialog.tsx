import type { TargetedSubmitEvent, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { callDesk } from '../../call-platform.ts';
import { me, ROLES } from '../../session.ts';
import { Button, CheckField, Dialog, SelectField, TextField } from '../../ui/index.ts';
import type { AccountPerson, NewPassword, People } from './people-types.ts';

const ROLE_OPTIONS = ROLES.map((role) => [role, role] as const);

const readWords = (value: FormDataEntryValue | null): readonly string[] =>
  String(value ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);

/** Invites a person, or changes one. `onDone` gets the password of a new one. */
export function PersonDialog({
  person,
  queues,
  onDone,
  onClose,
}: {
  /** Null: a new one. */
  person: AccountPerson | null;
  queues: People['queues'];
  onDone: (password: NewPassword | null) => void;
  onClose: () => void;
}): VNode {
  const [queueIds, setQueueIds] = useState(person?.queue_ids ?? queues.map(({ id }) => id));
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const onSubmit = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const fields = {
      name: String(form.get('name')),
      // A disabled field is not sent: people cannot change their own role.
      ...(form.has('role') && { role: String(form.get('role')) }),
      capacity: Number(form.get('capacity')),
      skills: readWords(form.get('skills')),
      languages: readWords(form.get('languages')),
      queue_ids: queueIds,
    };
    setBusy(true);
    try {
      if (person === null) {
        const email = String(form.get('email'));
        const added = await callDesk<{ password: string }>('POST', '/people', { email, ...fields });
        onDone({ email, password: added.password });
      } else {
        await callDesk('PUT', `/people/${person.id}`, fields);
        onDone(null);
      }
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={person === null ? 'Invite a person' : `Edit ${person.name}`} onClose={onClose}>
      <form class="person-form" onSubmit={(event) => void onSubmit(event)}>
        {person === null && (
          <TextField label="Email address" name="email" type="email" autocomplete="off" required />
        )}
        <TextField
          label="Name"
          name="name"
          defaultValue={person?.name ?? ''}
          hint="Visible to visitors."
          required
        />
        <SelectField
          label="Role"
          name="role"
          options={ROLE_OPTIONS}
          defaultValue={person?.role ?? 'agent'}
          disabled={person !== null && person.id === me.value?.id}
        />
        <TextField
          label="Concurrent conversations"
          name="capacity"
          type="number"
          min={1}
          max={50}
          defaultValue={String(person?.capacity ?? 3)}
        />
        <TextField
          label="Skills"
          name="skills"
          defaultValue={person?.skills.join(', ') ?? ''}
          hint="Separate with commas."
        />
        <TextField
          label="Languages"
          name="languages"
          defaultValue={person?.languages.join(', ') ?? ''}
          hint="For example: en, de. Leave empty for all."
        />
        <fieldset class="choices">
          <legend>Queues</legend>
          {queues.length === 0 && (
            <p class="quiet">No queues yet. Create one with natter-platform queue set.</p>
          )}
          {queues.map(({ id, name }) => (
            <CheckField
              key={id}
              label={name}
              checked={queueIds.includes(id)}
              onChange={(isOn) =>
                setQueueIds(isOn ? [...queueIds, id] : queueIds.filter((each) => each !== id))
              }
            />
          ))}
        </fieldset>
        {problem !== null && <p role="alert">{problem}</p>}
        <div class="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="main" isBusy={isBusy}>
            {person === null ? 'Invite' : 'Save'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
