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
        if let Some((element, _)) = c_type.split_once('[') {
            name_elements(records, element, &mut shape.rows);
            continue;
        }
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

/// Gives places in an array their indices, and the members' names where its elements are records: `[2]`, `[2].next`.
fn name_elements(records: &Records, element: &str, rows: &mut [Row]) {
    let record = records.get(element).filter(|record| record.size > 0);
    for row in rows {
        let Some(offset) = offset(row) else { continue };
        let size = record.map_or(row.bytes, |record| record.size);
        if size == 0 {
            continue;
        }
        let (index, within) = (offset / size, offset % size);
        match record {
            Some(record) => {
                if let Some(member) = record.member(within, row.bytes) {
                    row.label = format!("[{index}].{}", member.path);
                }
            }
            // One cell may be known as several elements: then it has no index of its own.
            None if within == 0 && is_scalar(element, size) => row.label = format!("[{index}]"),
            None => {}
        }
    }
}

/// Whether values of this type have so many bytes, as far as the name says it.
fn is_scalar(c_type: &str, bytes: u64) -> bool {
    match c_type {
        "char" | "signed char" | "unsigned char" | "_Bool" => bytes == 1,
        "short" | "unsigned short" => bytes == 2,
        "int" | "unsigned int" | "float" => bytes == 4,
        "long long" | "unsigned long long" | "double" => bytes == 8,
        "long" | "unsigned long" => matches!(bytes, 4 | 8),
        pointer => pointer.ends_with('*') && matches!(bytes, 4 | 8),
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
