import type { TargetedSubmitEvent, VNode } from 'preact';
import { hrefOf } from '../../location.ts';
import { hasRole } from '../../session.ts';
import { shortFormat, Time } from '../../ui/index.ts';
import { TechnicalDetails } from '../../ui/technical-details.tsx';
import { details, selected, setTags } from './desk-model.ts';
import { VisitorDetails } from './visitor-details.tsx';

/** Shown as the visitor's own. */
const CARD_FACTS = new Set(['name', 'user_id', 'page', 'time_zone', 'browser', 'language']);

/** Data beside the transcript: survey, visitor, page, the agent's variables, tags and private notes. */
export function SidePanel(): VNode {
  const known = details.value;
  if (known === null) return <aside class="side quiet">Loading …</aside>;
  const { survey, visitor, page, state, handoff, notes, request } = known;
  const facts = Object.fromEntries(Object.entries(page).filter(([name]) => !CARD_FACTS.has(name)));
  return (
    <aside class="side" aria-label="About the conversation">
      <h2>About</h2>
      {hasRole('supervisor') && (
        <p>
          <a href={hrefOf(`/conversations/${encodeURIComponent(request.conversation_id)}`)}>
            The whole conversation on record
          </a>
        </p>
      )}
      {survey !== null && (
        <section>
          <h3>Survey</h3>
          <p>
            {survey.score}
            {survey.comment !== null && `: ${survey.comment}`}
          </p>
        </section>
      )}
      {visitor !== null && <VisitorDetails visitor={visitor} page={page} />}
      <Facts title="From the page" facts={facts} />
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
      {notes.length > 0 && (
        <section>
          <h3>Notes</h3>
          <ul>
            {notes.map(({ id, person_name: name, text, created_at: at }) => (
              <li key={id} class="note">
                <small>
                  {name} <Time at={at} format={shortFormat(at, Date.now())} />
                </small>
                <p dir="auto">{text}</p>
              </li>
            ))}
          </ul>
        </section>
      )}
      <TechnicalDetails>
        <Facts
          title="Conversation"
          facts={{ id: request.conversation_id, request: request.id, reason: request.reason }}
        />
        <Facts title="Agent" facts={state} />
        <Facts title="Hand-off" facts={handoff} />
      </TechnicalDetails>
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

/** A fact as text; of a record, the fields that are not empty. */
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
