import { type Static, Type } from 'typebox';

export const configSchema = Type.Object(
  {
    host: Type.String({ minLength: 1, maxLength: 255 }),
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, default: 22 })),
    user: Type.String({ minLength: 1, maxLength: 255 }),
    host_key: Type.Optional(
      Type.String({
        pattern: '^SHA256:[A-Za-z0-9+/]{43}$',
        description:
          'Fingerprint of the server, as `ssh-keygen -lf` writes it. Without it nothing is sent, and the refusal tells it.',
      }),
    ),
    prefix: Type.Optional(
      Type.String({ minLength: 1, maxLength: 1024, default: '.', description: 'Folder that exists' }),
    ),
  },
  { additionalProperties: false },
);
export const secretsSchema = Type.Object(
  {
    password: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
    private_key: Type.Optional(Type.String({ minLength: 1, maxLength: 20_000, description: 'OpenSSH or PEM' })),
    passphrase: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
  },
  { additionalProperties: false },
);

export type SftpConfig = Static<typeof configSchema>;
export type SftpSecrets = Static<typeof secretsSchema>;
