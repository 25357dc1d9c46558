import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { checkKey, meQuery } from '../api/me.ts';
import { toProblem } from '../api/problem.ts';
import { signIn, whySignedOut } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { TextField } from '../ui/text-field.tsx';
import './sign-in.css';

/** Shown in place of any screen while there is no key; the address stays, so that a shared link leads where it should. */
export function SignIn() {
  const client = useQueryClient();
  const [text, setText] = useState('');
  const [keepInTab, setKeepInTab] = useState(true);
  const check = useMutation({
    mutationFn: (key: string) => checkKey(key),
    onSuccess: (me, key) => {
      client.setQueryData(meQuery.queryKey, me);
      signIn({ key, keepInTab });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const key = text.trim();
    if (key !== '') check.mutate(key);
  };
  const refusal = check.error === null ? undefined : toProblem(check.error).detail;
  return (
    <main className="sign-in">
      <form className="sign-in-form" onSubmit={submit}>
        <h1>Touchline</h1>
        <p className="quiet">
          {whySignedOut() === 'refused'
            ? 'The service no longer takes the key of this session. It may have been revoked, or have expired.'
            : 'Sign in with an API key of your organization.'}
        </p>
        <TextField
          label="API key"
          name="api-key"
          type="password"
          autoComplete="off"
          autoFocus
          spellCheck="false"
          placeholder="tl_…"
          value={text}
          onChange={setText}
          error={refusal}
          hint="It stays in this browser, and is never part of an address."
        />
        <Checkbox isSelected={keepInTab} onChange={setKeepInTab}>
          Keep it in this tab until it is closed
        </Checkbox>
        <Button type="submit" tone="primary" isPending={check.isPending} isDisabled={text.trim() === ''}>
          Sign in
        </Button>
        <p className="quiet sign-in-foot">
          The first start of the service prints a key and keeps it in <code>first-run.json</code> of its data folder.{' '}
          <a href="/docs">Documentation of the API</a>
        </p>
      </form>
    </main>
  );
}
