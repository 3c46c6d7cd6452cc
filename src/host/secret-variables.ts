/** The environment variables with secrets, which child processes such as ffmpeg or a browser must not inherit. */

const SECRET_VARIABLES = ['LINKSHOT_KEY', 'LINKSHOT_PASSWORD'] as const;

export const forgetSecrets = (environment: Record<string, string | undefined>): void => {
  for (const name of SECRET_VARIABLES) delete environment[name];
};
