import type { TargetedSubmitEvent, VNode } from 'preact';
import { addNote, details, selected, setTags } from './desk-model.ts';

/** What is known beside the transcript: survey, page, the agent's variables, tags and private notes. */
export function SidePanel(): VNode {
  const known = details.value;
  if (known === null) return <aside class="side quiet">Loading …</aside>;
  const { survey, page, state, handoff, notes, request } = known;
  return (
    <aside class="side" aria-label="About the conversation">
      <h2>About</h2>
      <code class="quiet">{request.conversation_id}</code>
      {survey !== null && (
        <section>
          <h3>Survey</h3>
          <p>
            {survey.score}
            {survey.comment !== null && `: ${survey.comment}`}
          </p>
        </section>
      )}
      <Facts title="Page" facts={page} />
      <Facts title="Agent" facts={state} />
      <Facts title="Hand-off" facts={handoff} />
      <section>
        <h3>Tags</h3>
        <form onSubmit={(event) => submitTags(event)}>
          <input
            key={(selected.value?.tags ?? []).join()}
            name="tags"
            aria-label="Tags, separated by commas"
            defaultValue={(selected.value?.tags ?? request.tags).join(', ')}
          />
          <button type="submit">Save</button>
        </form>
      </section>
      <section>
        <h3>Notes</h3>
        <ul>
          {notes.map(({ id, person_name: name, text }) => (
            <li key={id} class="note">
              <small>{name}</small>
              <p dir="auto">{text}</p>
            </li>
          ))}
        </ul>
        <form onSubmit={(event) => void submitNote(event)}>
          <input name="note" aria-label="Private note" placeholder="Visitors never see it" />
          <button type="submit">Add</button>
        </form>
      </section>
    </aside>
  );
}

function Facts({ title, facts }: { title: string; facts: Readonly<Record<string, unknown>> }): VNode | null {
  const pairs = Object.entries(facts).filter(([, value]) => writeFact(value) !== '');
  if (pairs.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {pairs.map(([name, value]) => (
          <div key={name}>
            <dt>{name.replaceAll('_', ' ')}</dt>
            <dd dir="auto">{writeFact(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** A fact in words: of a record, its fields that say something. */
function writeFact(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.map(writeFact).join(', ');
  return Object.entries(value)
    .map(([name, field]) => [name, writeFact(field)] as const)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name}: ${text}`)
    .join('\n');
}

function submitTags(event: TargetedSubmitEvent<HTMLFormElement>): void {
  event.preventDefault();
  const text = String(new FormData(event.currentTarget).get('tags'));
  const tags = text.split(',').map((tag) => tag.trim());
  void setTags(tags.filter((tag) => tag !== ''));
}

async function submitNote(event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> {
  event.preventDefault();
  const form = event.currentTarget;
  const text = String(new FormData(form).get('note')).trim();
  if (text !== '' && (await addNote(text))) form.reset();
}
