import type { ComponentChildren, VNode } from 'preact';
import { nameOfLanguage, shortFormat, Time } from '../../ui/index.ts';
import { select } from './desk-model.ts';
import type { DeskVisitor, Details } from './desk-types.ts';
import { timeIn } from './time-in.ts';

const DEVICES: Readonly<Record<string, string>> = {
  desktop: 'Computer',
  tablet: 'Tablet',
  mobile: 'Phone',
};
const APPS: Readonly<Record<string, string>> = {
  ios: 'app for iOS',
  'ios-web': 'app for iOS',
  android: 'app for Android',
  'android-web': 'app for Android',
};

/** The visitor beside the transcript: name, language, local time, device, pages and earlier conversations. */
export function VisitorDetails({ visitor, page }: Pick<Details, 'page'> & { visitor: DeskVisitor }): VNode {
  const { device_type: device, platform, pages, user, earlier } = visitor;
  const [now, ...before] = pages;
  // The chat's, once the agent has changed it; before, the browser's.
  const language = visitor.language ?? textOf(page['language']);
  const browser = textOf(page['browser']);
  const localTime = timeIn(textOf(page['time_zone']), Date.now());
  const means = [device && DEVICES[device], browser, platform && APPS[platform]].filter(Boolean);
  return (
    <section>
      <h3>Visitor</h3>
      <dl>
        <Fact name="Name" value={textOf(page['name'])} />
        {user !== null && (
          <Fact
            name="User"
            value={
              <>
                <bdi>{user.id}</bdi> <small>{user.is_verified ? 'verified' : 'not verified'}</small>
              </>
            }
          />
        )}
        <Fact name="Language" value={language && nameOfLanguage(language)} />
        <Fact name="Local time" value={localTime} />
        <Fact name="Device" value={means.join(', ')} />
        <Fact name="Page" value={now !== undefined && <bdi>{now.page}</bdi>} />
      </dl>
      {before.length > 0 && (
        <details>
          <summary>Pages before ({before.length})</summary>
          <ul>
            {before.map(({ page: address, at }) => (
              <li key={at}>
                <small>
                  <Time at={at} format={shortFormat(at, Date.now())} />
                </small>{' '}
                <bdi>{address}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
      {earlier.length > 0 && <Earlier earlier={earlier} />}
    </section>
  );
}

function Fact({ name, value }: { name: string; value: ComponentChildren }): VNode | null {
  if (value === null || value === undefined || value === false || value === '') return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd dir="auto">{value}</dd>
    </div>
  );
}

function Earlier({ earlier }: Pick<DeskVisitor, 'earlier'>): VNode {
  return (
    <>
      <h3>Earlier conversations</h3>
      <ul>
        {earlier.map(({ id, may_open: mayOpen, requested_at: at, question, tags, notes, ...request }) => {
          const title = question || request.queue_name;
          return (
            <li key={id} class="earlier">
              {mayOpen ? (
                <button type="button" class="plain" dir="auto" onClick={() => select(id)}>
                  {title}
                </button>
              ) : (
                <strong dir="auto">{title}</strong>
              )}
              <small>
                <Time at={at} format={shortFormat(at, Date.now())} />
                {[request.person_name, ...tags].filter(Boolean).map((each) => ` · ${each}`)}
              </small>
              {notes.map((note) => (
                <div key={note.id} class="note">
                  <small>{note.person_name}</small>
                  <p dir="auto">{note.text}</p>
                </div>
              ))}
            </li>
          );
        })}
      </ul>
    </>
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
