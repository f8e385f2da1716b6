//! Names of members in pictures: what an object is taken for follows from the variables that lead to it.

use std::sync::Arc;

use super::picture::{Form, Picture, Row, Value};
use crate::cfa::Records;

/// Types of what is on show, as C text.
pub(super) struct Types {
    /// Of the variables, by frame.
    pub variables: Vec<Vec<Arc<str>>>,
    /// Of the shapes that are variables themselves.
    pub shapes: Vec<Option<Arc<str>>>,
}

/// Gives places in objects their members' names, as far as the types of variables say.
pub(super) fn name_members(records: &Records, types: Types, picture: &mut Picture) {
    let Types { variables, shapes: mut of_shapes } = types;
    of_shapes.resize(picture.shapes.len(), None);
    let frames = picture.frames.iter().zip(&variables);
    for (row, c_type) in frames.flat_map(|(frame, types)| frame.variables.iter().zip(types)) {
        lead(&row.value, c_type, &mut of_shapes);
    }
    let mut done = vec![false; picture.shapes.len()];
    let ready = |done: &[bool], types: &[Option<Arc<str>>]| {
        (0..done.len()).find_map(|index| (!done[index]).then(|| Some((index, types[index].clone()?))).flatten())
    };
    while let Some((index, c_type)) = ready(&done, &of_shapes) {
        done[index] = true;
        let shape = &mut picture.shapes[index];
        let Some(record) = records.get(&c_type) else {
            // A variable that is a pointer itself.
            for row in shape.rows.iter().filter(|row| row.label == "+0") {
                lead(&row.value, &c_type, &mut of_shapes);
            }
            continue;
        };
        for row in &mut shape.rows {
            let member = offset(row).and_then(|offset| record.member(offset, row.bytes));
            if let Some(member) = member {
                row.label.clone_from(&member.path);
                lead(&row.value, &member.c_type, &mut of_shapes);
            }
        }
        if let Form::Nodes(nodes) = &mut shape.form {
            for (name, offset) in &mut nodes.links {
                let Some(link) = record.pointer(*offset) else { continue };
                *name = link.path.clone();
                nodes.outer.iter().for_each(|outer| lead(&outer.value, &link.c_type, &mut of_shapes));
            }
        }
    }
}

/// `+8` as a number.
fn offset(row: &Row) -> Option<u64> {
    row.label.strip_prefix('+')?.parse().ok()
}

/// What a value of this type points to is of the type that it points to.
fn lead(value: &Value, c_type: &str, of_shapes: &mut [Option<Arc<str>>]) {
    if let (Value::Pointer { to, offset }, Some(target)) = (value, c_type.strip_suffix('*'))
        && offset.is_empty()
        && target != "void"
        && let Some(known) = of_shapes.get_mut(to.shape)
    {
        known.get_or_insert_with(|| target.into());
    }
}
