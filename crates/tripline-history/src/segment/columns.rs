//! A block as Parquet: the only place that knows it.
//!
//! The columns are plain numbers, because rounded ones are smallest that way, and compressed. Nothing in a block says which
//! program wrote it, or when. Tested through `pack` and `unpack`.

use std::sync::Arc;

use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::reader::get_typed_column_reader;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int32Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::{FileReader as _, RowGroupReader, SerializedFileReader};
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;
use tripline_model::{Point, Spread};

/// The columns, in order. Frozen: another version is another list beside this one.
const SCHEMA: &str = "message points {
    required int32 series (UINT_32);
    required int32 run (UINT_32);
    required double center;
    optional double low;
    optional double high;
    optional int32 count (UINT_32);
    optional double reach;
    optional double value;
    optional binary range (UTF8);
    optional binary extra (UTF8);
}";

/// What wrote a block, the same for ever: what it holds alone gives it its name.
const CREATOR: &str = "tripline";

/// More takes four times as long for a hundredth.
const ZSTD_LEVEL: i32 = 3;

/// One point of a series.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Row {
    /// The number of the series in the segment.
    pub(crate) series: u32,
    /// Which record of the segment.
    pub(crate) run: u32,
    /// The point.
    pub(crate) point: Point,
    /// Its value in the unit that it was written in, where that was another.
    pub(crate) value: Option<f64>,
    /// What was written as its range.
    pub(crate) range: Option<ByteArray>,
    /// What else was written of it.
    pub(crate) extra: Option<ByteArray>,
}

/// Makes a block of groups of whole series, in order.
pub(crate) fn block_of(groups: impl IntoIterator<Item = Vec<Row>>) -> Vec<u8> {
    written(groups).expect("what is written to memory, column by column, is written")
}

fn written(groups: impl IntoIterator<Item = Vec<Row>>) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let schema = Arc::new(parse_message_type(SCHEMA)?);
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, Arc::new(properties()?))?;
    for rows in groups {
        let mut group = writer.next_row_group()?;
        write(&mut group, &rows)?;
        group.close()?;
    }
    writer.close()?;
    Ok(bytes)
}

fn properties() -> Result<WriterProperties> {
    let mut properties = WriterProperties::builder()
        .set_created_by(CREATOR.to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(ZSTD_LEVEL)?))
        .set_statistics_enabled(EnabledStatistics::None)
        .set_offset_index_disabled(true)
        .set_dictionary_enabled(false);
    let column = |name: &str| ColumnPath::from(name);
    for name in ["series", "run"] {
        properties = properties.set_column_encoding(column(name), Encoding::DELTA_BINARY_PACKED);
    }
    for name in ["count", "range", "extra"] {
        properties = properties.set_column_dictionary_enabled(column(name), true);
    }
    // Which series a group holds is read there, and nothing else is asked of statistics.
    let properties =
        properties.set_column_statistics_enabled(column("series"), EnabledStatistics::Chunk);
    Ok(properties.build())
}

fn write(group: &mut SerializedRowGroupWriter<'_, &mut Vec<u8>>, rows: &[Row]) -> Result<()> {
    let quartiles = |row: &Row| match row.point.spread {
        Spread::Quartiles { low, high, count } => Some((low, high, count)),
        Spread::Nothing | Spread::Reach(_) => None,
    };
    let reach = |row: &Row| match row.point.spread {
        Spread::Reach(reach) => Some(reach),
        Spread::Nothing | Spread::Quartiles { .. } => None,
    };
    let all = |number: fn(&Row) -> u32| rows.iter().map(number).map(u32::cast_signed);
    column::<Int32Type>(group, all(|row| row.series).collect(), None)?;
    column::<Int32Type>(group, all(|row| row.run).collect(), None)?;
    let centers = rows.iter().map(|row| row.point.center);
    column::<DoubleType>(group, centers.collect(), None)?;
    let spreads = || rows.iter().map(quartiles);
    some::<DoubleType>(group, spreads().map(|all| Some(all?.0)))?;
    some::<DoubleType>(group, spreads().map(|all| Some(all?.1)))?;
    some::<Int32Type>(group, spreads().map(|all| Some(all?.2.cast_signed())))?;
    some::<DoubleType>(group, rows.iter().map(reach))?;
    some::<DoubleType>(group, rows.iter().map(|row| row.value))?;
    some::<ByteArrayType>(group, rows.iter().map(|row| row.range.clone()))?;
    some::<ByteArrayType>(group, rows.iter().map(|row| row.extra.clone()))
}

/// Writes the next column.
fn column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, &mut Vec<u8>>,
    values: Vec<T::T>,
    levels: Option<&[i16]>,
) -> Result<()> {
    let next = group.next_column()?;
    let mut column = next.ok_or_else(|| ParquetError::EOF("no column is left".to_owned()))?;
    column.typed::<T>().write_batch(&values, levels, None)?;
    column.close()
}

/// Writes the next column, which not every row has a value of.
fn some<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, &mut Vec<u8>>,
    values: impl Iterator<Item = Option<T::T>>,
) -> Result<()> {
    let mut levels = Vec::new();
    let mut there = Vec::new();
    for value in values {
        levels.push(i16::from(value.is_some()));
        there.extend(value);
    }
    column::<T>(group, there, Some(&levels))
}

/// A block that is read group by group.
pub(crate) struct Rows {
    reader: SerializedFileReader<bytes::Bytes>,
}

impl Rows {
    /// Opens a block.
    pub(crate) fn open(block: Vec<u8>) -> Result<Self> {
        guarded(|| {
            let reader = SerializedFileReader::new(bytes::Bytes::from(block))?;
            let expected = parse_message_type(SCHEMA)?;
            if reader.metadata().file_metadata().schema() == &expected {
                return Ok(Self { reader });
            }
            Err(ParquetError::General("it has other columns".to_owned()))
        })
    }

    /// Returns all rows, group by group.
    pub(crate) fn all(&self) -> impl Iterator<Item = Result<Vec<Row>>> + '_ {
        let groups = 0..self.reader.num_row_groups();
        groups.map(|group| guarded(|| read(&*self.reader.get_row_group(group)?)))
    }

    /// Returns the rows of one series: one group is read, and the others are not.
    pub(crate) fn of(&self, series: u32) -> Result<Vec<Row>> {
        guarded(|| {
            for group in 0..self.reader.num_row_groups() {
                let group = self.reader.get_row_group(group)?;
                if has(&*group, series) {
                    let mut rows = read(&*group)?;
                    rows.retain(|row| row.series == series);
                    return Ok(rows);
                }
            }
            Ok(Vec::new())
        })
    }
}

/// Reads something, and takes a panic for an error. What was damaged is kept out by what a block is named after; somebody
/// can still have named a block after whatever it holds, and of some such bytes the library says so by a panic.
fn guarded<T>(read: impl FnOnce() -> Result<T>) -> Result<T> {
    let read = std::panic::catch_unwind(std::panic::AssertUnwindSafe(read));
    read.unwrap_or_else(|_| Err(ParquetError::General("it is no Parquet".to_owned())))
}

/// Says whether a group may hold a series.
fn has(group: &dyn RowGroupReader, series: u32) -> bool {
    match group.metadata().column(0).statistics() {
        Some(Statistics::Int32(of)) => {
            let ends = of.min_opt().zip(of.max_opt());
            ends.is_some_and(|(min, max)| {
                (min.cast_unsigned()..=max.cast_unsigned()).contains(&series)
            })
        }
        _ => false,
    }
}

/// Reads a group.
fn read(group: &dyn RowGroupReader) -> Result<Vec<Row>> {
    let series = values::<Int32Type>(group, 0)?;
    let runs = values::<Int32Type>(group, 1)?;
    let centers = values::<DoubleType>(group, 2)?;
    let mut lows = values::<DoubleType>(group, 3)?.into_iter();
    let mut highs = values::<DoubleType>(group, 4)?.into_iter();
    let mut counts = values::<Int32Type>(group, 5)?.into_iter();
    let mut reaches = values::<DoubleType>(group, 6)?.into_iter();
    let mut written = values::<DoubleType>(group, 7)?.into_iter();
    let mut ranges = values::<ByteArrayType>(group, 8)?.into_iter();
    let mut extras = values::<ByteArrayType>(group, 9)?.into_iter();
    let cut = || ParquetError::EOF("a column is shorter than the others".to_owned());
    let mut rows = Vec::with_capacity(series.len());
    for ((series, run), center) in series.into_iter().zip(runs).zip(centers) {
        let low = lows.next().ok_or_else(cut)?;
        let high = highs.next().ok_or_else(cut)?;
        let count = counts.next().ok_or_else(cut)?;
        let spread = match (low, high, count, reaches.next().ok_or_else(cut)?) {
            (Some(low), Some(high), Some(count), None) => Spread::Quartiles {
                low,
                high,
                count: count.cast_unsigned(),
            },
            (None, None, None, Some(reach)) => Spread::Reach(reach),
            (None, None, None, None) => Spread::Nothing,
            _ => return Err(ParquetError::General("a spread is none".to_owned())),
        };
        rows.push(Row {
            series: series.ok_or_else(cut)?.cast_unsigned(),
            run: run.ok_or_else(cut)?.cast_unsigned(),
            point: Point {
                center: center.ok_or_else(cut)?,
                spread,
            },
            value: written.next().ok_or_else(cut)?,
            range: ranges.next().ok_or_else(cut)?,
            extra: extras.next().ok_or_else(cut)?,
        });
    }
    Ok(rows)
}

/// Reads a column of a group.
fn values<T: DataType>(group: &dyn RowGroupReader, column: usize) -> Result<Vec<Option<T::T>>> {
    let rows = usize::try_from(group.metadata().num_rows());
    let rows = rows.map_err(|error| ParquetError::General(error.to_string()))?;
    let mut reader = get_typed_column_reader::<T>(group.get_column_reader(column)?);
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    let mut read = 0;
    while read < rows {
        match reader.read_records(rows - read, Some(&mut levels), None, &mut values)? {
            (0, _, _) => return Err(ParquetError::EOF("a column is cut".to_owned())),
            (records, _, _) => read += records,
        }
    }
    if levels.is_empty() {
        return Ok(values.into_iter().map(Some).collect());
    }
    let mut values = values.into_iter();
    let value = |level: i16| if level > 0 { values.next() } else { None };
    Ok(levels.into_iter().map(value).collect())
}
