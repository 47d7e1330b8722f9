/*
 * How anax's own archives say which collectives were called with MPI_IN_PLACE, which OTF2 has no
 * record for: the archive has a property, and the record of such a call an attribute. Inside of
 * reader and writer only.
 */
#ifndef ANAX_TRACES_OTF2_IN_PLACE_H
#define ANAX_TRACES_OTF2_IN_PLACE_H

#define OTF2_IN_PLACE_PROPERTY "ANAX::MPI_IN_PLACE"

/* The id of the attribute. */
enum { OTF2_IN_PLACE_ATTRIBUTE = 0 };

#endif
