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
  { files: ['**/*.js', '**/*.mjs', '*.ts'], ...tseslint.configs.disableTypeChecked },
)
