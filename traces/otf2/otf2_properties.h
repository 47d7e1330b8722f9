/*
 * Facts that anax's own archives state as properties of the archive, since OTF2 has no records for
 * them. Private to the reader and the writer.
 */
#ifndef ANAX_TRACES_OTF2_PROPERTIES_H
#define ANAX_TRACES_OTF2_PROPERTIES_H

/* Archives with this property have an attribute on each record of a collective with MPI_IN_PLACE.
 */
#define OTF2_IN_PLACE_PROPERTY "ANAX::MPI_IN_PLACE"
enum { OTF2_IN_PLACE_ATTRIBUTE = 0, OTF2_OFFSET_ATTRIBUTE = 1 };

/* Names by which Score-P and anax describe accesses of MPI-IO to files. */
#define OTF2_FILE_PARADIGM "MPI-IO"
#define OTF2_OFFSET_NAME   "Offset"

/* The number of the program's notes that do not come from sealing, and each of these notes,
 * numbered from 0. A note has three lines: "KIND COUNT", why, and what. KIND is 1 for an assumption
 * and 0 for something that is not modelled. */
#define OTF2_NOTES_PROPERTY "ANAX::NOTES"
#define OTF2_NOTE_PROPERTY  "ANAX::NOTE_%" PRIu32

#endif
