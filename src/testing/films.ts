/** Five documents: a film, its director, his birthplace, another film, and one about nothing of it. */
import type { DocumentInput } from '../types.ts'

export const FILMS: readonly DocumentInput[] = [
  {
    id: 'a',
    title: 'Ed Wood (film)',
    text:
      'Ed Wood is a 1994 American biographical film directed by Tim Burton. It stars ' +
      'Johnny Depp as the cult filmmaker.',
  },
  {
    id: 'b',
    title: 'Tim Burton',
    text: 'Timothy Walter Burton was born in Burbank, California. Tim Burton is an American filmmaker and artist.',
  },
  {
    id: 'c',
    title: 'Burbank, California',
    text: 'Burbank is a city in Los Angeles County. It is called the Media Capital of the World.',
  },
  {
    id: 'd',
    title: 'Doctor Strange',
    text: 'Doctor Strange is a film by Scott Derrickson about a surgeon who learns the mystic arts.',
  },
  {
    id: 'e',
    title: 'Gardening',
    text: 'Water the beds in the morning. Mulch keeps the soil moist, and compost feeds it.',
  },
]
