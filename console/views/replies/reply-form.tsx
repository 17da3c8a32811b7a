import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { callDesk } from '../../call-platform.ts';
import { FormDialog, nameOfLanguage, SelectField, TextArea, TextField } from '../../ui/index.ts';
import { Markdown } from '../../ui/markdown/markdown.tsx';
import type { Reply } from '../desk/desk-types.ts';

/** Languages of the widget. */
const LANGUAGES = ['ar', 'de', 'en', 'es', 'fr', 'he', 'it', 'ja', 'nl', 'pl', 'pt', 'zh'];

/** Asks for the name, the language and the text of a canned reply. `reply` null: a new one. */
export function ReplyForm({
  reply,
  onDone,
  onClose,
}: {
  reply: Reply | null;
  onDone: (name: string) => void;
  onClose: () => void;
}): VNode {
  const [text, setText] = useState(reply?.text ?? '');
  const known = reply?.language ?? null;
  const languages = known === null || LANGUAGES.includes(known) ? LANGUAGES : [...LANGUAGES, known];
  return (
    <FormDialog
      title={reply === null ? 'New canned reply' : `Edit ${reply.name}`}
      submitLabel="Save"
      onClose={onClose}
      onSubmit={async (form) => {
        const name = String(form.get('name')).trim();
        const body = { name, text, language: String(form.get('language')) || null };
        if (reply === null) await callDesk('POST', '/replies', body);
        else await callDesk('PUT', `/replies/${reply.id}`, body);
        onDone(name);
      }}
    >
      <TextField
        label="Name"
        hint="Your team finds the reply by it."
        name="name"
        defaultValue={reply?.name ?? ''}
        autocomplete="off"
        required
      />
      <SelectField
        label="Language of the conversation"
        name="language"
        options={[['', 'All languages'], ...languages.map((tag) => [tag, nameOfLanguage(tag)] as const)]}
        defaultValue={known ?? ''}
      />
      <TextArea
        label="Text"
        hint="Markdown, with {name} for the visitor and {agent} for the person who answers. {name|there} says “there” if the name is unknown."
        rows={5}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        required
      />
      {text.trim() !== '' && (
        <section aria-label="Preview">
          <small class="quiet">Preview</small>
          <Markdown text={text} />
        </section>
      )}
    </FormDialog>
  );
}
