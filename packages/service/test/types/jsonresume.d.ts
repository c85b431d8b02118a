/** What the tests use of a library that comes without types. */
declare module '@jsonresume/schema' {
  const jsonResume: {
    /** JSON Schema, draft 7. */
    schema: object;
    validate(resume: unknown, done: (errors: unknown, isValid: boolean) => void): void;
  };
  export default jsonResume;
}
