import { render } from 'preact';
import { expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { PersonDialog } from './person-dialog.tsx';

it('keeps what was written and chosen when a queue is switched off and when the view is drawn again', async () => {
  const queues = [{ id: 'q', name: 'Service desk' }];
  const draw = (): void =>
    render(
      <PersonDialog person={null} queues={queues} onDone={() => {}} onClose={() => {}} />,
      document.body,
    );
  draw();
  const field = (name: string) =>
    document.querySelector<HTMLInputElement>(`[name=${name}]`) as HTMLInputElement;
  for (const name of ['email', 'name', 'skills', 'languages'])
    await userEvent.fill(field(name), `${name}@here`);
  await userEvent.fill(field('capacity'), '7');
  await userEvent.selectOptions(field('role'), 'supervisor');
  const written = () => Object.fromEntries(new FormData(document.forms[0]));
  const before = written();
  expect(before).toEqual({
    email: 'email@here',
    name: 'name@here',
    role: 'supervisor',
    capacity: '7',
    skills: 'skills@here',
    languages: 'languages@here',
  });
  await userEvent.click(document.querySelector('[type=checkbox]') as Element);
  draw();
  expect(written()).toEqual(before);
  render(null, document.body);
});
