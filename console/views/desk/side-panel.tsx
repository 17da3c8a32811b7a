import type { TargetedSubmitEvent, VNode } from 'preact';
import { hrefOf } from '../../location.ts';
import { hasRole } from '../../session.ts';
import { shortFormat, Time } from '../../ui/index.ts';
import { TechnicalDetails } from '../../ui/technical-details.tsx';
import { details, selected, setTags } from './desk-model.ts';
import { VisitorDetails } from './visitor-details.tsx';

/** Shown as the visitor's own. */
const CARD_ATTRIBUTES = new Set(['name', 'user_id', 'page', 'time_zone', 'browser', 'language']);

/** Data beside the transcript: survey, visitor, page, the agent's variables, tags and private notes. */
export function SidePanel(): VNode {
  const known = details.value;
  if (known === null) return <aside class="side quiet">Loading …</aside>;
  const { survey, visitor, page, state, handoff, notes, request } = known;
  const others = Object.fromEntries(Object.entries(page).filter(([name]) => !CARD_ATTRIBUTES.has(name)));
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
      <AttributeList title="From the page" attributes={others} />
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
        <AttributeList
          title="Conversation"
          attributes={{ id: request.conversation_id, request: request.id, reason: request.reason }}
        />
        <AttributeList title="Agent" attributes={state} />
        <AttributeList title="Hand-off" attributes={handoff} />
      </TechnicalDetails>
    </aside>
  );
}

function AttributeList({
  title,
  attributes,
}: {
  title: string;
  attributes: Readonly<Record<string, unknown>>;
}): VNode | null {
  const pairs = Object.entries(attributes).filter(([, value]) => writeValue(value) !== '');
  if (pairs.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {pairs.map(([name, value]) => (
          <div key={name}>
            <dt>{name.replaceAll('_', ' ')}</dt>
            <dd dir="auto">{writeValue(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** A fact as text; of a record, the fields that are not empty. */
function writeValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.map(writeValue).join(', ');
  return Object.entries(value)
    .map(([name, field]) => [name, writeValue(field)] as const)
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
