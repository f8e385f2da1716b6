//! Names whose effects the world knows: C11's library, POSIX, and what the usual C library has beyond them.
//!
//! A call of one of them that has neither a definition in the program nor a model here must not be taken for a function
//! without effect.

use std::sync::OnceLock;

use rustc_hash::FxHashSet;

/// What C11 (Annex K included) and POSIX.1-2017 declare, by the header that does it.
const STANDARD: &[(&str, &str)] = &[
    (
        "ctype.h",
        "\
        _tolower _toupper isalnum isalnum_l isalpha isalpha_l isascii isblank isblank_l iscntrl iscntrl_l \
        isdigit isdigit_l isgraph isgraph_l islower islower_l isprint isprint_l ispunct ispunct_l isspace \
        isspace_l isupper isupper_l isxdigit isxdigit_l toascii tolower tolower_l toupper toupper_l",
    ),
    (
        "fenv.h",
        "\
        feclearexcept fegetenv fegetexceptflag fegetround feholdexcept feraiseexcept fesetenv fesetexceptflag \
        fesetround fetestexcept feupdateenv",
    ),
    ("inttypes.h", "imaxabs imaxdiv strtoimax strtoumax wcstoimax wcstoumax"),
    (
        "math.h",
        "\
        acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim \
        floor fma fmax fmin fmod fpclassify frexp hypot ilogb isfinite isgreater isgreaterequal isinf isless \
        islessequal islessgreater isnan isnormal isunordered j0 j1 jn ldexp lgamma llrint llround log log10 \
        log1p log2 logb lrint lround modf nan nearbyint nextafter nexttoward pow remainder remquo rint round \
        scalbln scalbn signbit sin sinh sqrt tan tanh tgamma trunc y0 y1 yn",
    ),
    (
        "complex.h",
        "\
        cabs cacos cacosh carg casin casinh catan catanh ccos ccosh cexp cimag clog conj cpow cproj creal csin \
        csinh csqrt ctan ctanh",
    ),
    ("setjmp.h", "_longjmp _setjmp longjmp setjmp siglongjmp sigsetjmp"),
    ("sys/select.h", "FD_CLR FD_ISSET FD_SET FD_ZERO pselect select"),
    (
        "signal.h",
        "\
        kill killpg psiginfo psignal pthread_kill pthread_sigmask raise sigaction sigaddset sigaltstack \
        sigdelset sigemptyset sigfillset sighold sigignore siginterrupt sigismember signal sigpause sigpending \
        sigprocmask sigqueue sigrelse sigset sigsuspend sigtimedwait sigwait sigwaitinfo",
    ),
    (
        "stdatomic.h",
        "\
        atomic_compare_exchange_strong atomic_compare_exchange_strong_explicit atomic_compare_exchange_weak \
        atomic_compare_exchange_weak_explicit atomic_exchange atomic_exchange_explicit atomic_fetch_add \
        atomic_fetch_add_explicit atomic_fetch_and atomic_fetch_and_explicit atomic_fetch_or \
        atomic_fetch_or_explicit atomic_fetch_sub atomic_fetch_sub_explicit atomic_fetch_xor \
        atomic_fetch_xor_explicit atomic_flag_clear atomic_flag_clear_explicit atomic_flag_test_and_set \
        atomic_flag_test_and_set_explicit atomic_init atomic_is_lock_free atomic_load atomic_load_explicit \
        atomic_signal_fence atomic_store atomic_store_explicit atomic_thread_fence",
    ),
    (
        "string.h",
        "\
        memccpy memchr memcmp memcpy memcpy_s memmove memmove_s memset memset_s stpcpy stpncpy strcat strcat_s \
        strchr strcmp strcoll strcoll_l strcpy strcpy_s strcspn strdup strerror strerror_l strerror_r strerror_s \
        strerrorlen_s strlen strncat strncat_s strncmp strncpy strncpy_s strndup strnlen strnlen_s strpbrk \
        strrchr strsignal strspn strstr strtok strtok_r strtok_s strxfrm strxfrm_l",
    ),
    ("strings.h", "bcmp bcopy bzero ffs index rindex strcasecmp strcasecmp_l strncasecmp strncasecmp_l"),
    (
        "wchar.h",
        "\
        btowc fgetwc fgetws fputwc fputws fwide fwprintf fwprintf_s fwscanf fwscanf_s getwc getwchar iswalnum \
        iswalpha iswblank iswcntrl iswctype iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper \
        iswxdigit mbrlen mbrtowc mbsinit mbsnrtowcs mbsrtowcs mbsrtowcs_s open_wmemstream putwc putwchar \
        snwprintf_s swprintf swprintf_s swscanf swscanf_s towlower towupper ungetwc vfwprintf vfwprintf_s \
        vfwscanf vfwscanf_s vsnwprintf_s vswprintf vswprintf_s vswscanf vswscanf_s vwprintf vwprintf_s vwscanf \
        vwscanf_s wcpcpy wcpncpy wcrtomb wcrtomb_s wcscasecmp wcscasecmp_l wcscat wcscat_s wcschr wcscmp wcscoll \
        wcscoll_l wcscpy wcscpy_s wcscspn wcsdup wcsftime wcslen wcsncasecmp wcsncasecmp_l wcsncat wcsncat_s \
        wcsncmp wcsncpy wcsncpy_s wcsnlen wcsnlen_s wcsnrtombs wcspbrk wcsrchr wcsrtombs wcsrtombs_s wcsspn \
        wcsstr wcstod wcstof wcstok wcstok_s wcstol wcstold wcstoll wcstoul wcstoull wcswcs wcswidth wcsxfrm \
        wcsxfrm_l wctob wctype wcwidth wmemchr wmemcmp wmemcpy wmemcpy_s wmemmove wmemmove_s wmemset wprintf \
        wprintf_s wscanf wscanf_s",
    ),
    (
        "wctype.h",
        "\
        iswalnum_l iswalpha_l iswblank_l iswcntrl_l iswctype_l iswdigit_l iswgraph_l iswlower_l iswprint_l \
        iswpunct_l iswspace_l iswupper_l iswxdigit_l towctrans towctrans_l towlower_l towupper_l wctrans \
        wctrans_l wctype_l",
    ),
    ("uchar.h", "c16rtomb c32rtomb mbrtoc16 mbrtoc32"),
    (
        "stdio.h",
        "\
        clearerr ctermid dprintf fclose fdopen feof ferror fflush fgetc fgetpos fgets fileno flockfile fmemopen \
        fopen fopen_s fprintf fprintf_s fputc fputs fread freopen freopen_s fscanf fscanf_s fseek fseeko fsetpos \
        ftell ftello ftrylockfile funlockfile fwrite getc getc_unlocked getchar getchar_unlocked getdelim \
        getline gets gets_s open_memstream pclose perror popen printf printf_s putc putc_unlocked putchar \
        putchar_unlocked puts remove rename renameat rewind scanf scanf_s setbuf setvbuf snprintf snprintf_s \
        sprintf sprintf_s sscanf sscanf_s tempnam tmpfile tmpfile_s tmpnam tmpnam_s ungetc vdprintf vfprintf \
        vfprintf_s vfscanf vfscanf_s vprintf vprintf_s vscanf vscanf_s vsnprintf vsnprintf_s vsprintf vsprintf_s \
        vsscanf vsscanf_s",
    ),
    (
        "stdlib.h",
        "\
        _Exit a64l abort abort_handler_s abs aligned_alloc at_quick_exit atexit atof atoi atol atoll bsearch \
        bsearch_s calloc div drand48 ecvt erand48 exit fcvt free gcvt getenv getenv_s getsubopt grantpt \
        ignore_handler_s initstate jrand48 l64a labs lcong48 ldiv llabs lldiv lrand48 malloc mblen mbstowcs \
        mbstowcs_s mbtowc mkdtemp mkstemp mktemp mrand48 nrand48 posix_memalign posix_openpt ptsname putenv \
        qsort qsort_s quick_exit rand rand_r random realloc realpath seed48 set_constraint_handler_s setenv \
        setkey setstate srand srand48 srandom strtod strtof strtol strtold strtoll strtoul strtoull system \
        unlockpt unsetenv valloc wcstombs wcstombs_s wctomb wctomb_s",
    ),
    (
        "time.h",
        "\
        asctime asctime_r asctime_s clock clock_getcpuclockid clock_getres clock_gettime clock_nanosleep \
        clock_settime ctime ctime_r ctime_s difftime getdate gmtime gmtime_r gmtime_s localtime localtime_r \
        localtime_s mktime nanosleep strftime strftime_l strptime time timer_create timer_delete \
        timer_getoverrun timer_gettime timer_settime timespec_get tzset",
    ),
    (
        "threads.h",
        "\
        call_once cnd_broadcast cnd_destroy cnd_init cnd_signal cnd_timedwait cnd_wait mtx_destroy mtx_init \
        mtx_lock mtx_timedlock mtx_trylock mtx_unlock thrd_create thrd_current thrd_detach thrd_equal thrd_exit \
        thrd_join thrd_sleep thrd_yield tss_create tss_delete tss_get tss_set",
    ),
    (
        "arpa/inet.h",
        "\
        accept bind connect getpeername getsockname getsockopt htonl htons inet_addr inet_lnaof inet_makeaddr \
        inet_netof inet_network inet_ntoa inet_ntop inet_pton listen ntohl ntohs recv recvfrom recvmsg send \
        sendmsg sendto setsockopt shutdown sockatmark socket socketpair",
    ),
    (
        "sys/stat.h",
        "\
        chmod fchmod fchmodat fstat fstatat futimens lstat mkdir mkdirat mkfifo mkfifoat mknod mknodat stat \
        umask utimensat",
    ),
    ("sys/uio.h", "readv writev"),
    ("fcntl.h", "creat fcntl open openat posix_fadvise posix_fallocate"),
    ("dirent.h", "alphasort closedir dirfd fdopendir opendir readdir readdir_r rewinddir scandir seekdir telldir"),
    ("dlfcn.h", "dlclose dlerror dlopen dlsym"),
    ("fmtmsg.h", "fmtmsg"),
    ("fnmatch.h", "fnmatch"),
    ("ftw.h", "ftw nftw"),
    ("glob.h", "glob globfree"),
    ("grp.h", "endgrent getgrent getgrgid getgrgid_r getgrnam getgrnam_r setgrent"),
    ("iconv.h", "iconv iconv_close iconv_open"),
    ("langinfo.h", "catclose catgets catopen nl_langinfo nl_langinfo_l"),
    ("libgen.h", "dirname"),
    ("locale.h", "duplocale freelocale localeconv newlocale setlocale uselocale"),
    ("monetary.h", "strfmon strfmon_l"),
    (
        "mqueue.h",
        "\
        mq_close mq_getattr mq_notify mq_open mq_receive mq_send mq_setattr mq_timedreceive mq_timedsend \
        mq_unlink",
    ),
    ("net/if.h", "if_freenameindex if_indextoname if_nameindex if_nametoindex"),
    (
        "netdb.h",
        "\
        endhostent endnetent endprotoent endservent freeaddrinfo gai_strerror getaddrinfo gethostbyaddr \
        gethostbyname gethostent getnameinfo getnetbyaddr getnetbyname getnetent getprotobyname getprotobynumber \
        getprotoent getservbyname getservbyport getservent sethostent setnetent setprotoent setservent",
    ),
    ("poll.h", "poll"),
    (
        "sched.h",
        "\
        sched_get_priority_max sched_get_priority_min sched_getparam sched_getscheduler sched_rr_get_interval \
        sched_setparam sched_setscheduler sched_yield",
    ),
    (
        "pthread.h",
        "\
        pthread_atfork pthread_attr_destroy pthread_attr_getdetachstate pthread_attr_getguardsize \
        pthread_attr_getinheritsched pthread_attr_getschedparam pthread_attr_getschedpolicy \
        pthread_attr_getscope pthread_attr_getstack pthread_attr_getstackaddr pthread_attr_getstacksize \
        pthread_attr_init pthread_attr_setdetachstate pthread_attr_setguardsize pthread_attr_setinheritsched \
        pthread_attr_setschedparam pthread_attr_setschedpolicy pthread_attr_setscope pthread_attr_setstack \
        pthread_attr_setstackaddr pthread_attr_setstacksize pthread_barrier_destroy pthread_barrier_init \
        pthread_barrier_wait pthread_barrierattr_destroy pthread_barrierattr_getpshared pthread_barrierattr_init \
        pthread_barrierattr_setpshared pthread_cancel pthread_cleanup_pop pthread_cleanup_push \
        pthread_cond_broadcast pthread_cond_destroy pthread_cond_init pthread_cond_signal pthread_cond_timedwait \
        pthread_cond_wait pthread_condattr_destroy pthread_condattr_getclock pthread_condattr_getpshared \
        pthread_condattr_init pthread_condattr_setclock pthread_condattr_setpshared pthread_create \
        pthread_detach pthread_equal pthread_exit pthread_getconcurrency pthread_getcpuclockid \
        pthread_getschedparam pthread_getspecific pthread_join pthread_key_create pthread_key_delete \
        pthread_mutex_consistent pthread_mutex_destroy pthread_mutex_getprioceiling pthread_mutex_init \
        pthread_mutex_lock pthread_mutex_setprioceiling pthread_mutex_timedlock pthread_mutex_trylock \
        pthread_mutex_unlock pthread_mutexattr_destroy pthread_mutexattr_getprioceiling \
        pthread_mutexattr_getprotocol pthread_mutexattr_getpshared pthread_mutexattr_getrobust \
        pthread_mutexattr_gettype pthread_mutexattr_init pthread_mutexattr_setprioceiling \
        pthread_mutexattr_setprotocol pthread_mutexattr_setpshared pthread_mutexattr_setrobust \
        pthread_mutexattr_settype pthread_once pthread_rwlock_destroy pthread_rwlock_init pthread_rwlock_rdlock \
        pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock pthread_rwlock_tryrdlock pthread_rwlock_trywrlock \
        pthread_rwlock_unlock pthread_rwlock_wrlock pthread_rwlockattr_destroy pthread_rwlockattr_getkind_np \
        pthread_rwlockattr_getpshared pthread_rwlockattr_init pthread_rwlockattr_setkind_np \
        pthread_rwlockattr_setpshared pthread_self pthread_setcancelstate pthread_setcanceltype \
        pthread_setconcurrency pthread_setschedparam pthread_setschedprio pthread_setspecific \
        pthread_spin_destroy pthread_spin_init pthread_spin_lock pthread_spin_trylock pthread_spin_unlock \
        pthread_testcancel",
    ),
    ("pwd.h", "endpwent getpwent getpwnam getpwnam_r getpwuid getpwuid_r setpwent"),
    ("regex.h", "regerror regexec regfree"),
    ("search.h", "hcreate hdestroy hsearch insque lfind lsearch remque tdelete tfind tsearch twalk"),
    (
        "semaphore.h",
        "\
        sem_close sem_destroy sem_getvalue sem_init sem_open sem_post sem_timedwait sem_trywait sem_unlink \
        sem_wait",
    ),
    (
        "spawn.h",
        "\
        posix_spawn posix_spawn_file_actions_addclose posix_spawn_file_actions_adddup2 \
        posix_spawn_file_actions_addopen posix_spawn_file_actions_destroy posix_spawn_file_actions_init \
        posix_spawnattr_destroy posix_spawnattr_getflags posix_spawnattr_getpgroup posix_spawnattr_getschedparam \
        posix_spawnattr_getschedpolicy posix_spawnattr_getsigdefault posix_spawnattr_getsigmask \
        posix_spawnattr_init posix_spawnattr_setflags posix_spawnattr_setpgroup posix_spawnattr_setschedparam \
        posix_spawnattr_setschedpolicy posix_spawnattr_setsigdefault posix_spawnattr_setsigmask posix_spawnp",
    ),
    ("sys/ipc.h", "ftok"),
    (
        "sys/mman.h",
        "\
        mlock mlockall mmap mprotect msync munlock munlockall munmap posix_madvise posix_mem_offset \
        posix_typed_mem_get_info posix_typed_mem_open shm_open shm_unlink",
    ),
    ("sys/msg.h", "msgctl msgget msgrcv msgsnd"),
    ("sys/resource.h", "getpriority getrlimit getrusage setpriority setrlimit"),
    ("sys/sem.h", "semctl semget semop"),
    ("sys/shm.h", "shmat shmctl shmdt shmget"),
    ("sys/statvfs.h", "fstatvfs statvfs"),
    ("sys/time.h", "getitimer gettimeofday setitimer utimes"),
    ("sys/times.h", "times"),
    ("sys/utsname.h", "uname"),
    ("sys/wait.h", "wait waitid waitpid"),
    ("syslog.h", "closelog openlog setlogmask syslog"),
    (
        "termios.h",
        "\
        cfgetispeed cfgetospeed cfsetispeed cfsetospeed tcdrain tcflow tcflush tcgetattr tcgetsid tcsendbreak \
        tcsetattr",
    ),
    ("ulimit.h", "ulimit"),
    (
        "unistd.h",
        "\
        _exit access alarm chdir chown close confstr crypt dup dup2 encrypt execl execle execlp execv execve \
        execvp faccessat fchdir fchown fchownat fdatasync fexecve fork fpathconf fsync ftruncate getcwd getegid \
        geteuid getgid getgroups gethostid gethostname getlogin getlogin_r getopt getpgid getpgrp getpid getppid \
        getsid getuid isatty lchown link linkat lockf lseek nice pathconf pause pipe pread pwrite read readlink \
        readlinkat rmdir setegid seteuid setgid setpgid setpgrp setregid setreuid setsid setuid sleep swab \
        symlink symlinkat sync sysconf tcgetpgrp tcsetpgrp truncate ttyname ttyname_r unlink unlinkat write",
    ),
    ("utime.h", "utime"),
    ("utmpx.h", "endutxent getutxent getutxid getutxline pututxline setutxent"),
    ("wordexp.h", "wordexp wordfree"),
    ("aio.h", "aio_cancel aio_error aio_fsync aio_read aio_return aio_suspend aio_write lio_listio"),
    ("stropts.h", "fattach fdetach getmsg getpmsg ioctl isastream putmsg putpmsg"),
    ("ndbm.h", "dbm_clearerr dbm_close dbm_delete dbm_error dbm_fetch dbm_firstkey dbm_nextkey dbm_open dbm_store"),
    (
        "trace.h",
        "\
        posix_trace_attr_destroy posix_trace_attr_getclockres posix_trace_attr_getcreatetime \
        posix_trace_attr_getgenversion posix_trace_attr_getinherited posix_trace_attr_getlogfullpolicy \
        posix_trace_attr_getlogsize posix_trace_attr_getmaxdatasize posix_trace_attr_getmaxsystemeventsize \
        posix_trace_attr_getmaxusereventsize posix_trace_attr_getname posix_trace_attr_getstreamfullpolicy \
        posix_trace_attr_getstreamsize posix_trace_attr_init posix_trace_attr_setinherited \
        posix_trace_attr_setlogfullpolicy posix_trace_attr_setlogsize posix_trace_attr_setmaxdatasize \
        posix_trace_attr_setname posix_trace_attr_setstreamfullpolicy posix_trace_attr_setstreamsize \
        posix_trace_clear posix_trace_close posix_trace_create posix_trace_create_withlog posix_trace_event \
        posix_trace_eventid_equal posix_trace_eventid_get_name posix_trace_eventid_open posix_trace_eventset_add \
        posix_trace_eventset_del posix_trace_eventset_empty posix_trace_eventset_fill \
        posix_trace_eventset_ismember posix_trace_eventtypelist_getnext_id posix_trace_eventtypelist_rewind \
        posix_trace_flush posix_trace_get_attr posix_trace_get_filter posix_trace_get_status \
        posix_trace_getnext_event posix_trace_open posix_trace_rewind posix_trace_set_filter \
        posix_trace_shutdown posix_trace_start posix_trace_stop posix_trace_timedgetnext_event \
        posix_trace_trid_eventid_open posix_trace_trygetnext_event",
    ),
    ("assert.h", "assert"),
];

/// What the usual C library declares beyond them in headers of these names, where it may change memory or control flow and a
/// program is unlikely to have a function of its own under that name.
const EXTENSIONS: &[(&str, &str)] = &[
    ("fenv.h", "fedisableexcept feenableexcept fegetexcept fegetmode fesetexcept fesetmode fetestexceptflag"),
    (
        "math.h",
        "\
        canonicalize daddl ddivl dfmal dmull drem dsqrtl dsubl exp10 finite fmaximum fmaximum_mag \
        fmaximum_mag_num fmaximum_num fmaxmag fminimum fminimum_mag fminimum_mag_num fminimum_num fminmag fromfp \
        fromfpx getpayload lgamma_r lgammaf_r lgammal_r llogb nextdown nextup roundeven setpayload setpayloadsig \
        sincos totalorder totalordermag ufromfp ufromfpx",
    ),
    ("complex.h", "clog10"),
    (
        "signal.h",
        "\
        _Fork brk close_range closefrom copy_file_range dup3 eaccess endusershell euidaccess execveat execvpe \
        ftruncate64 get_current_dir_name getdomainname getdtablesize getentropy getpagesize getpass getresgid \
        getresuid gettid getusershell getwd gsignal lseek64 pipe2 pread64 pthread_sigqueue pwrite64 sbrk \
        setdomainname sethostid sethostname setresgid setresuid setusershell sigandset sigblock siggetmask \
        sigisemptyset sigorset sigreturn sigsetmask ssignal syncfs syscall sysv_signal tgkill truncate64 ttyslot \
        ualarm usleep vfork",
    ),
    (
        "string.h",
        "\
        basename explicit_bzero ffsl ffsll memfrob memmem mempcpy memrchr rawmemchr sigabbrev_np sigdescr_np \
        strcasestr strchrnul strerrordesc_np strerrorname_np strfry strsep strverscmp",
    ),
    (
        "wchar.h",
        "\
        fgetwc_unlocked fgetws_unlocked fputwc_unlocked fputws_unlocked getwc_unlocked getwchar_unlocked \
        putwc_unlocked putwchar_unlocked wcschrnul wcsftime_l wcstod_l wcstof_l wcstol_l wcstold_l wcstoll_l \
        wcstoq wcstoul_l wcstoull_l wcstouq wmempcpy",
    ),
    ("uchar.h", "c8rtomb mbrtoc8"),
    (
        "stdio.h",
        "\
        asprintf clearerr_unlocked cuserid fcloseall feof_unlocked ferror_unlocked fflush_unlocked \
        fgetc_unlocked fgetpos64 fgets_unlocked fileno_unlocked fopen64 fopencookie fputc_unlocked \
        fputs_unlocked fread_unlocked freopen64 fseeko64 fsetpos64 ftello64 fwrite_unlocked getw obstack_printf \
        obstack_vprintf putw renameat2 setbuffer setlinebuf tmpfile64 tmpnam_r vasprintf",
    ),
    (
        "stdlib.h",
        "\
        alloca arc4random arc4random_buf arc4random_uniform canonicalize_file_name cfree clearenv drand48_r \
        ecvt_r erand48_r fcvt_r getloadavg initstate_r jrand48_r lcong48_r lrand48_r mkostemp mkostemp64 \
        mkostemps mkostemps64 mkstemp64 mkstemps mkstemps64 mrand48_r nrand48_r on_exit ptsname_r qecvt qecvt_r \
        qfcvt qfcvt_r qgcvt qsort_r random_r reallocarray secure_getenv seed48_r setstate_r sigvec srand48_r \
        srandom_r strfromd strfromf strfroml strlcat strlcpy strtod_l strtof_l strtol_l strtold_l strtoll_l \
        strtoq strtoul_l strtoull_l strtouq wcslcat wcslcpy",
    ),
    ("time.h", "clock_adjtime getdate_r strptime_l timegm timelocal timespec_getres"),
    (
        "arpa/inet.h",
        "\
        accept4 bindresvport bindresvport6 getipv4sourcefilter getsourcefilter inet6_opt_append inet6_opt_find \
        inet6_opt_finish inet6_opt_get_val inet6_opt_init inet6_opt_next inet6_opt_set_val inet6_option_alloc \
        inet6_option_append inet6_option_find inet6_option_init inet6_option_next inet6_option_space \
        inet6_rth_add inet6_rth_getaddr inet6_rth_init inet6_rth_reverse inet6_rth_segments inet6_rth_space \
        inet_aton inet_net_ntop inet_net_pton inet_neta inet_nsap_addr inet_nsap_ntoa isfdtype recvmmsg sendmmsg \
        setipv4sourcefilter setsourcefilter",
    ),
    ("sys/stat.h", "fstat64 fstatat64 getumask lchmod lstat64 stat64 statx"),
    (
        "sys/uio.h",
        "\
        preadv preadv2 preadv64 preadv64v2 process_vm_readv process_vm_writev pwritev pwritev2 pwritev64 \
        pwritev64v2",
    ),
    (
        "fcntl.h",
        "\
        creat64 fallocate fallocate64 fcntl64 name_to_handle_at open64 open_by_handle_at openat64 \
        posix_fadvise64 posix_fallocate64 sync_file_range vmsplice",
    ),
    (
        "dirent.h",
        "\
        alphasort64 getdents64 getdirentries getdirentries64 readdir64 readdir64_r scandir64 scandirat \
        scandirat64 versionsort versionsort64",
    ),
    ("dlfcn.h", "dladdr dladdr1 dlinfo dlmopen dlvsym"),
    ("ftw.h", "ftw64 nftw64"),
    ("glob.h", "glob64 glob_pattern_p globfree64"),
    ("grp.h", "fgetgrent fgetgrent_r getgrent_r getgrouplist initgroups putgrent setgroups"),
    (
        "netdb.h",
        "\
        endnetgrent endrpcent gai_cancel gai_error gai_suspend getaddrinfo_a gethostbyaddr_r gethostbyname2 \
        gethostbyname2_r gethostbyname_r gethostent_r getnetbyaddr_r getnetbyname_r getnetent_r getnetgrent \
        getnetgrent_r getprotobyname_r getprotobynumber_r getprotoent_r getrpcbyname getrpcbyname_r \
        getrpcbynumber getrpcbynumber_r getrpcent getrpcent_r getservbyname_r getservbyport_r getservent_r \
        herror hstrerror innetgr iruserok iruserok_af rcmd rcmd_af rexec rexec_af rresvport rresvport_af ruserok \
        ruserok_af setnetgrent setrpcent",
    ),
    ("poll.h", "ppoll"),
    ("sched.h", "getcpu sched_getaffinity sched_getcpu sched_setaffinity"),
    (
        "pthread.h",
        "\
        pthread_attr_getaffinity_np pthread_attr_getsigmask_np pthread_attr_setaffinity_np \
        pthread_attr_setsigmask_np pthread_clockjoin_np pthread_cond_clockwait pthread_getaffinity_np \
        pthread_getattr_default_np pthread_getattr_np pthread_getname_np pthread_mutex_clocklock \
        pthread_mutex_consistent_np pthread_mutexattr_getrobust_np pthread_mutexattr_setrobust_np \
        pthread_rwlock_clockrdlock pthread_rwlock_clockwrlock pthread_setaffinity_np pthread_setattr_default_np \
        pthread_setname_np pthread_timedjoin_np pthread_tryjoin_np pthread_yield",
    ),
    ("pwd.h", "fgetpwent fgetpwent_r getpw getpwent_r putpwent"),
    ("search.h", "hcreate_r hdestroy_r hsearch_r tdestroy twalk_r"),
    ("semaphore.h", "sem_clockwait"),
    ("sys/mman.h", "madvise memfd_create mincore mmap64 mremap process_madvise process_mrelease remap_file_pages"),
    ("sys/resource.h", "getrlimit64 prlimit prlimit64 setrlimit64"),
    ("sys/sem.h", "semtimedop"),
    ("sys/statvfs.h", "fstatvfs64 statvfs64"),
    ("sys/time.h", "adjtime futimes futimesat lutimes settimeofday"),
    ("sys/wait.h", "wait3 wait4"),
    ("syslog.h", "vsyslog"),
    ("termios.h", "cfmakeraw cfsetspeed"),
    ("utmpx.h", "getutmp getutmpx updwtmpx utmpxname"),
    (
        "aio.h",
        "\
        aio_cancel64 aio_error64 aio_fsync64 aio_init aio_read64 aio_return64 aio_suspend64 aio_write64 \
        lio_listio64",
    ),
    ("crypt.h", "crypt_checksalt crypt_preferred_method crypt_r crypt_ra crypt_rn"),
    ("execinfo.h", "backtrace backtrace_symbols backtrace_symbols_fd"),
    ("getopt.h", "getopt_long getopt_long_only"),
    ("ifaddrs.h", "freeifaddrs getifaddrs"),
    (
        "libintl.h",
        "\
        bind_textdomain_codeset bindtextdomain dcgettext dcngettext dgettext dngettext gettext ngettext \
        textdomain",
    ),
    (
        "malloc.h",
        "\
        mallinfo mallinfo2 malloc_info malloc_stats malloc_trim malloc_usable_size mallopt memalign pvalloc",
    ),
    (
        "shadow.h",
        "\
        endspent fgetspent fgetspent_r getspent getspent_r getspnam getspnam_r lckpwdf putspent setspent \
        sgetspent sgetspent_r ulckpwdf",
    ),
    ("sys/epoll.h", "epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2 epoll_wait"),
    ("sys/eventfd.h", "eventfd eventfd_read eventfd_write"),
    ("sys/inotify.h", "inotify_add_watch inotify_init inotify_init1 inotify_rm_watch"),
    ("sys/random.h", "getrandom"),
    ("sys/sendfile.h", "sendfile sendfile64"),
    ("sys/signalfd.h", "signalfd"),
    ("sys/statfs.h", "fstatfs fstatfs64 statfs statfs64"),
    ("sys/sysinfo.h", "get_avphys_pages get_nprocs get_nprocs_conf get_phys_pages sysinfo"),
    ("sys/timerfd.h", "timerfd_create timerfd_gettime timerfd_settime"),
    (
        "sys/xattr.h",
        "\
        fgetxattr flistxattr fremovexattr fsetxattr getxattr lgetxattr listxattr llistxattr lremovexattr \
        lsetxattr removexattr setxattr",
    ),
    ("ucontext.h", "getcontext makecontext setcontext swapcontext"),
];
/// Whether `name` is one of the standard library's, or another name that the usual C library or the compiler has for one.
///
/// Identifiers that begin with two underscores belong to the implementation: `__X`, `__X_chk` (checked variants), `__X_alias`
/// and `__isoc99_X` are other names of `X`, and `__builtin_…` are all the compiler's.
pub fn is_standard(name: &str) -> bool {
    let Some(reserved) = name.strip_prefix("__") else { return is_listed(name) };
    if reserved.starts_with("builtin_") {
        return true;
    }
    let base = ["isoc99_", "isoc23_", "xpg_", "libc_"].iter().find_map(|prefix| reserved.strip_prefix(prefix));
    let base = base.unwrap_or(reserved);
    let base = ["_chk", "_alias", "_chk_warn"].iter().find_map(|suffix| base.strip_suffix(suffix)).unwrap_or(base);
    // `__xstat(version, …)` and its kin stand behind older `stat`s.
    is_listed(base)
        || matches!(
            base.strip_suffix("64").unwrap_or(base),
            "xstat" | "fxstat" | "lxstat" | "fxstatat" | "xmknod" | "xmknodat"
        )
}

/// Whether `name` stands in one of the lists; floating-point functions stand there without the suffix for their type.
fn is_listed(name: &str) -> bool {
    static NAMES: OnceLock<FxHashSet<&str>> = OnceLock::new();
    static FLOATING: OnceLock<FxHashSet<&str>> = OnceLock::new();
    let is_floating = |header: &str| matches!(header, "math.h" | "complex.h");
    let names = NAMES.get_or_init(|| listed().map(|(_, name)| name).collect());
    let floating =
        FLOATING.get_or_init(|| listed().filter(|(header, _)| is_floating(header)).map(|(_, name)| name).collect());
    let suffixes = ["f", "l", "f16", "f32", "f64", "f128", "f32x", "f64x"];
    names.contains(name)
        || suffixes.iter().filter_map(|suffix| name.strip_suffix(suffix)).any(|base| floating.contains(base))
}

/// Every name with its header.
pub(super) fn listed() -> impl Iterator<Item = (&'static str, &'static str)> {
    let rows = STANDARD.iter().chain(EXTENSIONS);
    rows.flat_map(|(header, names)| names.split_ascii_whitespace().map(move |name| (*header, name)))
}
