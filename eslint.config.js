import * as regexp from 'eslint-plugin-regexp'
import tseslint from 'typescript-eslint'

export default tseslint.config(
  {
    ignores: [
      'dist/**',
      'dist-demo/**',
      'dist-docs/**',
      'public/**',
      '.cache/**',
      'node_modules/**',
      'src/vector/kernel/**',
      'e2e/consumers/**',
    ],
  },
  ...tseslint.configs.strict,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      'no-restricted-properties': [
        'error',
        { property: 'innerHTML', message: 'Text is data: build nodes with textContent.' },
        { property: 'outerHTML', message: 'Text is data: build nodes with textContent.' },
        { property: 'insertAdjacentHTML', message: 'Text is data: build nodes with textContent.' },
        {
          object: 'Math',
          property: 'random',
          message: 'Same input, same output: no randomness in what ranks.',
        },
      ],
      'no-restricted-globals': ['error', 'Intl'],
    },
  },
  {
    // Regular expressions that meet foreign text take time in proportion to it.
    files: ['src/**/*.ts', 'workers/**/*.ts', 'demo/**/*.{ts,tsx}'],
    ignores: ['**/*.test.ts'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignorePartial: false }],
      'regexp/no-contradiction-with-assertion': 'error',
      'regexp/no-dupe-disjunctions': 'error',
      'regexp/no-misleading-unicode-character': 'error',
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "CallExpression[callee.property.name='push'] > SpreadElement",
          message: 'Arguments lie on the stack: append(list, values) of src/base/grown.ts.',
        },
      ],
    },
  },
  { files: ['**/*.js', '**/*.mjs', '*.ts'], ...tseslint.configs.disableTypeChecked },
)
