//! Dense typed indices into arenas.

/// Declares a `u32` index type with `index()` and `from_index()`; one type per arena, so that ids cannot be mixed up.
#[macro_export]
macro_rules! typed_id {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in the arena.
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of the element at `index`; arenas never reach 2³² elements.
            pub fn from_index(index: usize) -> Self {
                Self(index as u32)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "#{}"), self.0)
            }
        }
    };
}
