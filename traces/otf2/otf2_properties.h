/*
 * What anax's own archives say beyond what OTF2 has records for, as properties of the archive.
 * Inside of reader and writer only.
 */
#ifndef ANAX_TRACES_OTF2_PROPERTIES_H
#define ANAX_TRACES_OTF2_PROPERTIES_H

/* Records of collectives that were called with MPI_IN_PLACE, and of no others, have an attribute.
 */
#define OTF2_IN_PLACE_PROPERTY "ANAX::MPI_IN_PLACE"
enum { OTF2_IN_PLACE_ATTRIBUTE = 0 };

/* How many notes the program has that do not come from its sealing, and each of them, with numbers
 * from 0: "KIND COUNT", why and what, in lines of their own. KIND is 1 for what was assumed, 0 for
 * what is not modelled. */
#define OTF2_NOTES_PROPERTY "ANAX::NOTES"
#define OTF2_NOTE_PROPERTY  "ANAX::NOTE_%" PRIu32

#endif
