! A Fortran program with the messages of the parts modes and persistent of known_messages.c, and more calls whose
! numbers tests/cli/test_record.sh knows. It is compiled for each interface: mpif.h (MPIF), `use mpi` (neither name), and
! `use mpi_f08` (F08). BCAST_INIT names the library's function that makes a persistent broadcast, if it is to be
! called. Runs on any number of ranks from 2 on.

program fortran
#ifdef F08
  use mpi_f08
#elif !defined MPIF
  use mpi
#endif
  implicit none
#ifdef MPIF
  include 'mpif.h'
#endif
  character :: sent(1000), received(1000), buffer(100000)
  integer :: own, maximum, rank, size, right, left, mode, i, code, place
  integer :: counts(64), others(64), places(64), dimensions(1)
  logical :: done, periods(1)
#ifdef F08
  type(MPI_Request) :: requests(2)
  type(MPI_Status) :: status
  type(MPI_Message) :: message
  type(MPI_Comm) :: ring, half, twin
  type(MPI_Win) :: window
  type(MPI_File) :: file
#else
  integer :: requests(2), status(MPI_STATUS_SIZE), message, ring, half, twin, window, file
#endif

  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, size, code)
  right = mod(rank + 1, size)
  left = mod(rank + size - 1, size)

  ! Seven messages to the right, of rank + 1 to rank + 7 bytes: part modes.
  call MPI_Buffer_attach(buffer, 100000, code)
  do mode = 0, 3
     call MPI_Irecv(received, 1000, MPI_CHARACTER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, requests(1), code)
     call MPI_Barrier(MPI_COMM_WORLD, code)
     if (mode == 0) call MPI_Send(sent, rank + 1, MPI_CHARACTER, right, mode, MPI_COMM_WORLD, code)
     if (mode == 1) call MPI_Isend(sent, rank + 2, MPI_CHARACTER, right, mode, MPI_COMM_WORLD, requests(2), code)
     if (mode == 2) call MPI_Bsend(sent, rank + 3, MPI_CHARACTER, right, mode, MPI_COMM_WORLD, code)
     if (mode == 3) call MPI_Rsend(sent, rank + 4, MPI_CHARACTER, right, mode, MPI_COMM_WORLD, code)
     if (mode == 1) then
        call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, code)
     else
        call MPI_Wait(requests(1), MPI_STATUS_IGNORE, code)
     end if
  end do
  call MPI_Sendrecv(sent, rank + 5, MPI_CHARACTER, right, 4, received, 1000, MPI_CHARACTER, left, 4, MPI_COMM_WORLD, &
       status, code)
  call MPI_Issend(sent, rank + 6, MPI_CHARACTER, right, 5, MPI_COMM_WORLD, requests(1), code)
  call MPI_Mprobe(left, 5, MPI_COMM_WORLD, message, status, code)
  call MPI_Mrecv(received, 1000, MPI_CHARACTER, message, MPI_STATUS_IGNORE, code)
  call MPI_Waitany(1, requests, place, MPI_STATUS_IGNORE, code)
  call MPI_Irecv(received, 1000, MPI_CHARACTER, left, 6, MPI_COMM_WORLD, requests(1), code)
  call MPI_Isend(sent, rank + 7, MPI_CHARACTER, right, 6, MPI_COMM_WORLD, requests(2), code)
  done = .false.
  do while (.not. done)
     call MPI_Testall(2, requests, done, MPI_STATUSES_IGNORE, code)
  end do
  call MPI_Send(sent, 1, MPI_CHARACTER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, code)

  ! Three messages of 100 bytes to the right: part persistent.
  call MPI_Recv_init(received, 1000, MPI_CHARACTER, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, requests(1), code)
  call MPI_Ssend_init(sent, 100, MPI_CHARACTER, right, 1, MPI_COMM_WORLD, requests(2), code)
  do i = 1, 3
     call MPI_Startall(2, requests, code)
     call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, code)
  end do
  call MPI_Request_free(requests(1), code)
  call MPI_Request_free(requests(2), code)

  ! Collectives, some of them in place.
  do i = 1, size
     counts(i) = rank + 2 * i
     others(i) = i + 2 * rank + 1
     places(i) = 64 * (i - 1)
  end do
  own = 1
  call MPI_Bcast(sent, 11, MPI_CHARACTER, 1, MPI_COMM_WORLD, code)
  call MPI_Allreduce(MPI_IN_PLACE, own, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, code)
  call MPI_Alltoallv(sent, counts, places, MPI_CHARACTER, received, others, places, MPI_CHARACTER, MPI_COMM_WORLD, code)
  call MPI_Iallreduce(own, maximum, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, requests(1), code)
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE, code)

#ifdef BCAST_INIT
  call BCAST_INIT(sent, 12, MPI_CHARACTER, 1, MPI_COMM_WORLD, MPI_INFO_NULL, requests(1), code)
  do i = 1, 2
     call MPI_Start(requests(1), code)
     call MPI_Wait(requests(1), MPI_STATUS_IGNORE, code)
  end do
  call MPI_Request_free(requests(1), code)
#endif

  ! A half of the ranks and its duplicate, with an allreduce on each; neighbours on a ring, 2 messages of 5 bytes.
  dimensions(1) = size
  periods(1) = .true.
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), -rank, half, code)
  call MPI_Allreduce(own, maximum, 1, MPI_INTEGER, MPI_MAX, half, code)
  call MPI_Comm_idup(half, twin, requests(1), code)
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE, code)
  call MPI_Allreduce(own, maximum, 1, MPI_INTEGER, MPI_MAX, twin, code)
  call MPI_Cart_create(MPI_COMM_WORLD, 1, dimensions, periods, .false., ring, code)
  call MPI_Neighbor_allgather(sent, 5, MPI_CHARACTER, received, 5, MPI_CHARACTER, ring, code)
  call MPI_Comm_free(ring, code)
  call MPI_Comm_free(twin, code)
  call MPI_Comm_free(half, code)

  ! A put of 24 bytes, a write of 8 bytes, and a region.
  call MPI_Win_create(received, 1000_MPI_ADDRESS_KIND, 1, MPI_INFO_NULL, MPI_COMM_WORLD, window, code)
  call MPI_Win_fence(0, window, code)
  call MPI_Put(sent, 24, MPI_CHARACTER, right, 0_MPI_ADDRESS_KIND, 24, MPI_CHARACTER, window, code)
  call MPI_Win_fence(0, window, code)
  call MPI_Win_free(window, code)
  call MPI_File_open(MPI_COMM_WORLD, "fortran.out", MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, file, code)
  call MPI_File_write_at_all(file, int(8 * rank, MPI_OFFSET_KIND), sent, 8, MPI_CHARACTER, MPI_STATUS_IGNORE, code)
  call MPI_File_close(file, code)
  call MPI_Pcontrol(3)
  call MPI_Barrier(MPI_COMM_WORLD, code)
  call MPI_Pcontrol(-3)
  call MPI_Finalize(code)
end program fortran
